// What is in force, what would be without a word, and where it was written.
import { html, useState } from '../vendor/htm-preact.js';
import { get } from '../api.js';
import { current, languageNames, setLanguage, t } from '../i18n.js';
import { said } from '../said.js';
import { isAdmin } from '../store.js';
import { setTheme, theme, themes } from '../theme.js';
import { Badge, Card, Check, Choice, Note, Page, Scroll, Select, Text, Waiting, useAsk } from '../components/ui.js';

export function Appearance() {
    const [now, set] = useState(theme());
    return html`<div class="row bottom"><${Select} label=${t('settings.language')} value=${current()} onChange=${setLanguage} options=${Object.entries(languageNames)} />
        <${Choice} label=${t('settings.theme')} value=${now} onChange=${(to) => { setTheme(to); set(to); }} options=${themes.map((k) => [k, t(`theme.${k}`), { auto: 'half', light: 'sun', dark: 'moon' }[k]])} /></div>`;
}

export function SettingsPage() {
    const ask = useAsk(() => (isAdmin() ? get('settings') : { settings: [] }), []);
    const [find, setFind] = useState(''), [changed, setChanged] = useState(false);
    const rows = (ask.data?.settings || []).filter((s) => (!changed || s.source !== 'default') && (!find || `${s.section} ${s.name} ${s.key} ${s.value} ${said(s.help)}`.toLowerCase().includes(find.toLowerCase())));
    const sections = [...new Set(rows.map((s) => `${s.section} ${s.name || ''}`.trim()))];
    return html`<${Page} title=${t('nav.settings')} lead=${t('settings.lead')}>
        <${Card} title=${t('settings.here')} icon="screen"><${Appearance} /><//>
        ${isAdmin() ? html`<${Card} title=${t('settings.daemon')} icon="gear"><${Waiting} of=${ask} />
            <${Note}><p>${t('settings.how')}</p><//>
            <div class="row"><div class="grow"><${Text} label=${t('ui.find')} value=${find} onInput=${setFind} /></div><${Check} label=${t('settings.onlyChanged')} checked=${changed} onChange=${setChanged} /></div>
            ${sections.map((name) => html`<section key=${name} class="settings-part"><h3 class="mono">[${name}]</h3><${Scroll} label=${name}><table class="list settings"><thead><tr><th>${t('settings.key')}</th><th>${t('settings.value')}</th><th>${t('settings.default')}</th><th>${t('settings.source')}</th></tr></thead>
                <tbody>${rows.filter((s) => `${s.section} ${s.name || ''}`.trim() === name).map((s) => html`<tr key=${s.key}><td><span class="mono"><strong>${s.key}</strong></span>${s.help && html`<br /><small>${said(s.help)}</small>`}</td><td class="mono">${s.secret ? '•••' : s.value || '–'}</td><td class="mono muted">${s.default || '–'}</td>
                    <td>${s.source === 'default' ? html`<span class="muted">${t('settings.byDefault')}</span>` : html`<${Badge} tone="info" icon="book">${s.source}<//>`}</td></tr>`)}</tbody></table><//></section>`)}
        <//>
        <${Card} title=${t('backup.title')} icon="down"><p>${t('backup.text')}</p><pre class="command" tabindex="0"><code>sudo tablectl backup evening.tar</code></pre>
            <p>${t('backup.restore')}</p><pre class="command" tabindex="0"><code>sudo tablectl restore evening.tar --state /var/lib/tabled</code></pre><//>` : html`<${Note}>${t('ui.notAllowed')}<//>`}
    <//>`;
}

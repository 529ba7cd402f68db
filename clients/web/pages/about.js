// What runs here, whether it is well, and what it is made of.
import { html } from '../vendor/htm-preact.js';
import { get } from '../api.js';
import { dateTime, t } from '../i18n.js';
import { useStore } from '../store.js';
import { healthName } from '../words.js';
import { Badge, Card, Note, Page, Scroll, Waiting, useAsk } from '../components/ui.js';

const PARTS = [['preact 10', 'MIT'], ['htm 3.1.1', 'Apache-2.0'], ['uPlot 1.6.32', 'MIT'], ['libmicrohttpd', 'LGPL-2.1'], ['libmosquitto', 'EPL-2.0 / EDL-1.0'], ['protobuf-c', 'BSD-2-Clause'], ['SQLite', 'Public domain'], ['libsodium', 'ISC'], ['jansson', 'MIT'], ['inih', 'BSD-3-Clause'], ['systemd', 'LGPL-2.1']];

// One of the daemon's own is made anew long before; one of a file somebody has to renew.
const endsSoon = (info) => info?.tls_ends_at && Date.parse(info.tls_ends_at) - Date.now() < 14 * 86400000;

export function AboutPage() {
    const { info, games, link } = useStore();
    const health = useAsk(() => get('/readyz', { quiet: true }), []);
    return html`<${Page} title=${t('nav.about')} lead=${t('about.lead')}>
        ${info?.insecure && html`<${Note} tone="warn" title=${t('about.insecure')}><p>${t('about.insecureHint')}</p><//>`}
        ${endsSoon(info) && html`<${Note} tone="warn" title=${t('about.certSoon', { at: dateTime(info.tls_ends_at) })}><p>${t('about.certHint')}</p><//>`}
        <div class="grid-2">
            <${Card} title=${t('about.daemon')} icon="info">${info && html`<dl class="facts"><dt>${t('about.version')}</dt><dd>${info.version}</dd><dt>${t('about.site')}</dt><dd>${info.site || '–'}</dd><dt>${t('about.boot')}</dt><dd class="mono">${info.boot_id}</dd>
                <dt>${t('about.fingerprint')}</dt><dd class="mono">${info.tls_fingerprint || t('about.noTls')}</dd>${info.tls_ends_at && html`<dt>${t('about.certEnds')}</dt><dd>${dateTime(info.tls_ends_at)}</dd>`}<dt>${t('about.address')}</dt><dd class="mono">${location.origin}</dd><dt>${t('about.heard')}</dt><dd>${link.at ? dateTime(link.at) : '–'}</dd></dl>`}<//>
            <${Card} title=${t('about.health')} icon="check"><${Waiting} of=${health} />${health.data && html`<dl class="facts">${Object.entries(health.data).map(([key, value]) => html`<dt>${t(`about.${key}`)}</dt><dd><${Badge} tone=${['ok', 'ready'].includes(value) ? 'good' : value === 'none' ? 'quiet' : 'bad'}>${healthName(value)}<//></dd>`)}</dl>`}<//>
            <${Card} title=${t('about.games')} icon="dice"><ul class="plain">${(games || []).map((g) => html`<li><strong>${g.title}</strong> <span class="muted">· ${t('new.people', { from: g.seats_min, to: g.seats_max })} · ${t('about.rules', { n: g.rules_rev })}</span></li>`)}</ul><//>
            <${Card} title=${t('about.keys')} icon="book"><dl class="facts"><dt><kbd>Alt</kbd> + <kbd>1</kbd>…<kbd>9</kbd></dt><dd>${t('about.keyPages')}</dd><dt><kbd>Alt</kbd> + <kbd>P</kbd></dt><dd>${t('about.keyPause')}</dd></dl>
                <p class="row"><a href="/api/v1/openapi.json">OpenAPI</a></p><//>
        </div>
        <${Card} title=${t('about.licences')} icon="book"><p>${t('about.own')}</p><${Scroll} label=${t('about.licences')}><table class="list"><thead><tr><th>${t('about.part')}</th><th>${t('about.licence')}</th></tr></thead><tbody>${PARTS.map(([name, licence]) => html`<tr><td>${name}</td><td>${licence}</td></tr>`)}</tbody></table><//><//>
    <//>`;
}

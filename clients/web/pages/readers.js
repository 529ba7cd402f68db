// Readers and their pads: who answers, how well.
import { html, useEffect } from '../vendor/htm-preact.js';
import { get } from '../api.js';
import { dateTime, number, percent, t } from '../i18n.js';
import { useStore } from '../store.js';
import { PadList, PadMap, usePads, useTouched } from '../components/padmap.js';
import { Badge, Card, Empty, Note, Page, Scroll, Waiting, useAsk } from '../components/ui.js';

export function useReaders() {
    const { table, view } = useStore();
    const ask = useAsk(() => get(`tables/${table}/readers`), [table, JSON.stringify(view.readers?.readers || [])]);
    useEffect(() => {
        const timer = setInterval(ask.again, 5000);
        return () => clearInterval(timer);
    }, [table]);
    return ask;
}

// Of the scans that should have said something, the share that did.
export function quality(row) {
    const bad = row.failed + row.collided;
    const whole = row.scans || row.seen + row.none + bad;
    return whole ? 1 - bad / whole : null;
}

export function ReadersPage() {
    const { view } = useStore();
    const ask = useReaders(), pads = usePads();
    const readers = view.readers?.readers || ask.data?.readers || [];
    const numbers = Object.fromEntries((ask.data?.numbers || []).map((n) => [n.name, n]));
    const down = readers.filter((r) => !r.up), touched = useTouched(pads.data?.pads);
    return html`<${Page} title=${t('nav.readers')} lead=${t('readers.lead')}>
        ${down.length > 0 && html`<${Note} tone="bad" role="alert" title=${t('readers.downN', { n: down.length })}><p>${down.map((r) => r.name).join(', ')}. ${t('readers.downHint')}</p><//>`}
        <div class="live-data stack">
        <${Card} title=${t('readers.title')} icon="chip">
            ${readers.length ? html`<${Scroll} label=${t('readers.title')}><table class="list"><thead><tr><th>${t('readers.name')}</th><th>${t('readers.state')}</th><th>${t('readers.driver')}</th><th class="num">${t('readers.rate')}</th><th class="num">${t('readers.scans')}</th><th class="num">${t('readers.quality')}</th><th>${t('readers.since')}</th></tr></thead>
                <tbody>${readers.map((r) => {
                    const n = numbers[r.name], q = n && quality(n);
                    return html`<tr key=${r.name}><td><strong>${r.name}</strong></td><td><${Badge} tone=${r.up ? 'good' : 'bad'} icon=${r.up ? 'check' : 'cross'}>${r.up ? t('readers.up') : t('readers.down')}<//>${r.why ? html` <small>${r.why}</small>` : ''}</td>
                        <td class="mono">${r.driver}</td><td class="num">${n ? `${number(n.rate_mhz / 1000, 1)} Hz` : '–'}</td><td class="num">${n ? number(n.scans) : '–'}</td><td class="num">${q === null || q === undefined ? '–' : percent(q)}</td><td>${dateTime(r.since)}</td></tr>`;
                })}</tbody></table><//>` : html`<${Empty} icon="chip" title=${t('readers.none')}><p>${t('readers.noneHint')}</p><//>`}
            <p class="hint">${t('readers.stuck')}</p>
            ${!ask.data?.numbers && readers.length > 0 && html`<p class="hint">${t('readers.noNumbers')}</p>`}
        <//>
        ${Object.keys(numbers).length > 0 && html`<${Card} title=${t('readers.faults')} icon="warn"><${Faults} numbers=${Object.values(numbers)} /><//>`}
        <div class="grid-2"><${Card} title=${t('pads.title')} icon="target"><p>${t('pads.touch')}</p><${PadMap} chosen=${touched?.name} />
            <p role="status"><strong>${touched ? t('pads.touched', { pad: touched.name, reader: `${touched.reader}:${touched.antenna}` }) : t('pads.touchNot')}</strong></p><//>
            <${Card} title=${t('pads.list')} icon="list"><${Waiting} of=${pads} />${pads.data && html`<${Scroll} label=${t('pads.list')}><${PadList} pads=${pads.data.pads} /><//>`}<p class="hint">${t('pads.assign')}</p><//></div>
        </div>
    <//>`;
}

function Faults({ numbers }) {
    const keys = [...new Set(numbers.flatMap((n) => Object.keys(n.faults || {})))].filter((key) => numbers.some((n) => n.faults[key]));
    const columns = ['collided', 'failed', 'misses'];
    return html`<${Scroll} label=${t('readers.faults')}><table class="list"><thead><tr><th>${t('readers.name')}</th>${columns.map((c) => html`<th class="num">${t(`readers.${c}`)}</th>`)}${keys.map((k) => html`<th class="num">${k.replace(/_/g, ' ')}</th>`)}<th>${t('readers.lastSeen')}</th></tr></thead>
        <tbody>${numbers.map((n) => html`<tr key=${n.name}><td><strong>${n.name}</strong></td>${columns.map((c) => html`<td class="num">${number(n[c] || 0)}</td>`)}${keys.map((k) => html`<td class="num">${number(n.faults[k] || 0)}</td>`)}<td>${n.last_seen ? dateTime(n.last_seen) : '–'}</td></tr>`)}</tbody></table><//>`;
}

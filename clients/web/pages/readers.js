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

// A column, and whether it holds numbers.
const COLUMNS = [['name'], ['state'], ['driver'], ['rate', true], ['scans', true], ['quality', true], ['since']];

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
            ${readers.length ? html`<${Scroll} label=${t('readers.title')}><table class="list cards" role="table"><thead role="rowgroup"><tr role="row">${COLUMNS.map(([c, num]) => html`<th role="columnheader" class=${num ? 'num' : undefined}>${t(`readers.${c}`)}</th>`)}</tr></thead>
                <tbody role="rowgroup">${readers.map((r) => {
                    const n = numbers[r.name], q = n && quality(n);
                    const cells = [html`<strong>${r.name}</strong>`, html`<span><${Badge} tone=${r.up ? 'good' : 'bad'} icon=${r.up ? 'check' : 'cross'}>${r.up ? t('readers.up') : t('readers.down')}<//>${r.why ? html` <small>${r.why}</small>` : ''}</span>`,
                        html`<span class="mono">${r.driver}</span>`, n ? `${number(n.rate_mhz / 1000, 1)} Hz` : '–', n ? number(n.scans) : '–', q === null || q === undefined ? '–' : percent(q), dateTime(r.since)];
                    return html`<tr key=${r.name} role="row">${cells.map((cell, i) => html`<td role="cell" class=${COLUMNS[i][1] ? 'num' : undefined} data-label=${i ? t(`readers.${COLUMNS[i][0]}`) : undefined}>${cell}</td>`)}</tr>`;
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
    const heads = [t('readers.name'), ...columns.map((c) => t(`readers.${c}`)), ...keys.map((k) => k.replace(/_/g, ' ')), t('readers.lastSeen')], last = heads.length - 1;
    const num = (i) => (i > 0 && i < last ? 'num' : undefined);
    return html`<${Scroll} label=${t('readers.faults')}><table class="list cards" role="table"><thead role="rowgroup"><tr role="row">${heads.map((head, i) => html`<th role="columnheader" class=${num(i)}>${head}</th>`)}</tr></thead>
        <tbody role="rowgroup">${numbers.map((n) => html`<tr key=${n.name} role="row">${[html`<strong>${n.name}</strong>`, ...columns.map((c) => number(n[c] || 0)), ...keys.map((k) => number(n.faults[k] || 0)), n.last_seen ? dateTime(n.last_seen) : '–']
            .map((cell, i) => html`<td role="cell" class=${num(i)} data-label=${i ? heads[i] : undefined}>${cell}</td>`)}</tr>`)}</tbody></table><//>`;
}

// What lies wrong now, and what was wrong in this game.
import { html } from '../vendor/htm-preact.js';
import { all } from '../api.js';
import { clockTime, t } from '../i18n.js';
import { said } from '../said.js';
import { useStore } from '../store.js';
import { placeName } from '../words.js';
import { Board } from '../board/index.js';
import { Repairs, Rulings } from '../components/rulings.js';
import { Badge, Card, Empty, Page, Waiting, useAsk } from '../components/ui.js';

// Raised and cleared events of one game, put together by number.
export function pairUp(events) {
    const rows = new Map();
    for (const e of events) {
        for (const violation of e.violation || []) {
            const row = rows.get(violation.id) || { violation, raised: '', cleared: '', how: '' };
            if (e.event === 'violation_raised') Object.assign(row, { raised: e.header.at, violation });
            if (e.event === 'violation_cleared') Object.assign(row, { cleared: e.header.at, how: 'cleared' });
            if (e.event === 'overridden') Object.assign(row, { cleared: e.header.at, how: 'overridden', reason: e.reason });
            rows.set(violation.id, row);
        }
    }
    return [...rows.values()].reverse();
}

export function ViolationsPage() {
    const { view, table, events } = useStore();
    const open = view.violation?.violations || [];
    const ask = useAsk(async () => pairUp((await all(`tables/${table}/timeline`, 'events')).filter((e) => e.topic === 'event').map((e) => e.body)), [table, view.game?.header.game_id, events[0]?.header.seq]);
    const past = (ask.data || pairUp([...events].reverse())).filter((row) => !open.some((v) => v.id === row.violation.id));
    return html`<${Page} title=${t('nav.violations')} lead=${t('violation.lead')}>
        <div class="live-data stack">${open.length || view.violation?.choices.length || view.violation?.prompt.length
            ? html`<div class="table-grid"><${Board} view=${view} /><div class="stack"><${Rulings} view=${view} /></div></div>`
            : html`<${Card}><${Empty} icon="check" title=${t('violation.none')}><p>${t('violation.noneHint')}</p><//><//>`}</div>
        <${Card} title=${t('violation.past')} icon="clock">
            ${past.length ? html`<ul class="past">${past.map((row) => html`<li key=${row.violation.id}>
                <div class="row"><strong>${said(row.violation.text)}</strong><code>${row.violation.rule}</code><div class="grow"></div><${Badge} tone=${row.how === 'overridden' ? 'info' : 'good'} icon=${row.how === 'overridden' ? 'scale' : 'check'}>${t(row.how === 'overridden' ? 'violation.overridden' : 'violation.cleared')}<//></div>
                <p class="muted">${clockTime(row.raised)}${row.cleared ? ` – ${clockTime(row.cleared)}` : ''} · ${row.violation.places.map(placeName).join(', ')}${row.reason ? ` · ${row.reason}` : ''}</p>
                <details><summary>${t('violation.repair')}</summary><${Repairs} repairs=${row.violation.repairs} /></details></li>`)}</ul>` : html`<p class="muted">${t('violation.noPast')}</p>`}
            ${ask.problem && !past.length && html`<${Waiting} of=${ask} />`}
        <//>
    <//>`;
}

// All tables of a house: which of them wants somebody, and where the others are. For whoever walks between them.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { countdown, t } from '../i18n.js';
import { get } from '../api.js';
import { left } from '../clock.js';
import { useStore, watch } from '../store.js';
import { gameTitle, phaseName, reasonName, veilIcon } from '../words.js';
import { Emblem } from '../components/emblem.js';
import { Icon } from '../components/icons.js';
import { Badge, Page, useTick } from '../components/ui.js';

const EVERY_MS = 3000, LATE_MS = 15000;

async function look(table, signal) {
    const [view, readers] = await Promise.all([get(`tables/${table}`, { quiet: true, cache: 'no-cache', signal }), get(`tables/${table}/readers`, { quiet: true, signal })]);
    return { ...view, readers };
}

// What everybody may see of each table, asked for again and again while somebody looks. A table that does not answer keeps what it told last.
function useViews(names) {
    const [views, set] = useState({});
    useEffect(() => {
        let here = true, timer, abort;
        const round = async () => {
            abort = new AbortController();
            const late = setTimeout(() => abort.abort(), LATE_MS); // whoever walks leaves a network without a word to what was asked there
            const found = document.hidden ? [] : await Promise.all(names.map((name) => look(name, abort.signal).then((view) => [name, view], () => null)));
            clearTimeout(late);
            if (!here) return;
            set((was) => ({ ...was, ...Object.fromEntries(found.filter(Boolean)) }));
            timer = setTimeout(round, EVERY_MS);
        };
        round();
        return () => { here = false; clearTimeout(timer); abort.abort(); };
    }, [names.join()]);
    return views;
}

const isRunning = (view) => view?.game?.status === 'running';

// Why somebody should go there: [tone, icon, words], the gravest first.
function wants(view) {
    const found = [], down = view?.readers?.readers.filter((r) => !r.up).length || 0;
    if (view?.violations?.violations.length) found.push(['bad', 'warn', t('violation.title')]);
    if (down) found.push(['bad', 'chip', t('readers.downN', { n: down })]);
    if (view?.violations?.choices.length) found.push(['warn', 'scale', t('choice.title')]);
    if (isRunning(view) && view.phase?.paused) found.push(['warn', 'pause', view.phase.pause_reason ? reasonName(view.phase.pause_reason) : t('phase.paused')]);
    return found;
}

export function TablesPage() {
    const { tables, table: here } = useStore();
    const names = tables.map((row) => row.table), views = useViews(names);
    useTick(1000);
    const rows = names.map((name) => ({ name, view: views[name], wants: wants(views[name]) }));
    rows.sort((a, b) => !!b.wants.length - !!a.wants.length || a.name.localeCompare(b.name, undefined, { numeric: true }));
    const playing = rows.filter((row) => isRunning(row.view)).length, wanting = rows.filter((row) => row.wants.length).length;
    return html`<${Page} title=${t('nav.tables')} lead=${t('tables.lead', { n: names.length, playing, wanting })} wide=${true}>
        <ul class="tables live-data">${rows.map((row) => html`<${TableCard} key=${row.name} ...${row} here=${row.name === here} />`)}</ul>
    <//>`;
}

function TableCard({ name, view, wants: why, here }) {
    const game = view?.game?.game, over = view?.game?.status === 'ended', { phase } = view || {};
    const rest = isRunning(view) && phase?.deadline ? left(phase.deadline) : null;
    return html`<li><a class=${`table-card ${why[0]?.[0] || ''}`} href="#/table" aria-current=${here ? 'true' : undefined} onClick=${() => watch(name)}>
        <span class="table-head"><strong>${name}</strong>${game && html`<${Emblem} game=${game} />`}</span>
        ${!view ? html`<span class="muted">${t('ui.loading')}</span>` : !game ? html`<span class="muted">${t('table.idle')}</span>` : html`
            <span>${gameTitle(game, [{ id: game, title: view.game.title }])} · ${t('new.seats')}: ${view.seats?.seats.length || 0}</span>
            <span class="table-phase"><${Icon} name=${over ? 'check' : veilIcon[phase?.veil] || 'clock'} size=${18} />${over ? t('phase.ended') : phaseName(phase?.id)}
                ${rest !== null && html`<span class="clock">${countdown(Math.max(0, rest))}</span>`}</span>`}
        ${why.length > 0 && html`<span class="row">${why.map(([tone, icon, text]) => html`<${Badge} key=${text} tone=${tone} icon=${icon}>${text}<//>`)}</span>`}
    </a></li>`;
}

// What many evenings tell: games, wins with their intervals, lengths, readers.
import { html, useState } from '../vendor/htm-preact.js';
import { all, get } from '../api.js';
import { duration, number, percent, t } from '../i18n.js';
import { useStore } from '../store.js';
import { gameTitle, teamName } from '../words.js';
import { Plot } from '../components/plot.js';
import { quality, useReaders } from './readers.js';
import { Card, Empty, Page, Scroll, Select, Waiting, useAsk } from '../components/ui.js';

export function StatsPage() {
    const { games, table, tables } = useStore();
    const [of, setOf] = useState(''), [where, setWhere] = useState('');
    const ask = useAsk(() => get(`stats?${new URLSearchParams({ ...(of && { game: of }), ...(where && { table: where }) })}`), [of, where]);
    const past = useAsk(() => all(`tables/${where || table}/history`, 'games', 500), [table, where]);
    const readers = useReaders();
    const rows = ask.data?.by_game || [];
    const lengths = (past.data || []).filter((g) => g.ended_at && !g.aborted && (!of || g.game === of)).reverse();
    const best = (readers.data?.numbers || []).map((n) => [n.name, quality(n)]).filter(([, q]) => q !== null);
    return html`<${Page} title=${t('nav.stats')} lead=${t('stats.lead')}>
        <div class="row"><${Select} inline=${true} label=${t('new.game')} value=${of} onChange=${setOf} options=${[['', t('stats.allGames')], ...(games || []).map((g) => [g.id, g.title])]} />
            ${tables.length > 1 && html`<${Select} inline=${true} label=${t('nav.table')} value=${where} onChange=${setWhere} options=${[['', t('stats.allTables')], ...tables.map((x) => [x.table, x.table])]} />`}</div>
        <${Waiting} of=${ask} />
        ${ask.data && !rows.length && html`<${Card}><${Empty} icon="chart" title=${t('stats.none')}><p>${t('stats.noneHint')}</p><//><//>`}
        ${rows.length > 0 && html`<div class="tiles"><${Figure} n=${number(ask.data.games)} text=${t('stats.games')} /><${Figure} n=${number(rows.length)} text=${t('stats.kinds')} />
            <${Figure} n=${duration(1000 * rows.reduce((a, r) => a + r.mean_s * r.n, 0) / Math.max(1, rows.reduce((a, r) => a + r.n, 0)))} text=${t('stats.mean')} /></div>`}
        <div class="grid-2">${rows.map((row) => html`<${Card} key=${row.game} title=${gameTitle(row.game, games)} icon="chart">
            <p>${t('stats.row', { n: row.n, mean: duration(row.mean_s * 1000) })}</p>
            ${row.teams.length > 0 && html`<${Scroll} label=${`${gameTitle(row.game, games)}: ${t('stats.wins')}`}><table class="list"><thead><tr><th>${t('stats.team')}</th><th class="num">${t('stats.won')}</th><th>${t('stats.rate')}</th></tr></thead>
                <tbody>${row.teams.map((team) => html`<tr><td>${teamName(team.name)}</td><td class="num">${team.won} / ${team.n}</td><td><${Interval} team=${team} /></td></tr>`)}</tbody></table><//>`}
            ${row.seats.length > 0 && html`<p class="muted">${row.seats.map((s) => t('stats.seats', { seats: s.seats, n: s.n })).join(' · ')}</p>`}<//>`)}</div>
        ${lengths.length > 1 && html`<${Card} title=${t('stats.lengths')} icon="clock"><${Plot} label=${t('stats.lengths')} series=${[t('stats.minutes')]}
            data=${[lengths.map((g, i) => i + 1), lengths.map((g) => (Date.parse(g.ended_at) - Date.parse(g.started_at)) / 60000)]} /><p class="hint">${t('stats.lengthsHint')}</p><//>`}
        ${best.length > 0 && html`<${Card} title=${t('stats.readers')} icon="chip"><ul class="bars">${best.map(([name, q]) => html`<li><span>${name}</span><progress max="1" value=${q} aria-label=${name}></progress><span class="num">${percent(q)}</span></li>`)}</ul><//>`}
    <//>`;
}

const Figure = ({ n, text }) => html`<div class="figure"><strong>${n}</strong><span>${text}</span></div>`;

// The rate and the range in which the true one lies 19 times in 20.
function Interval({ team }) {
    const x = (v) => 4 + v * 152;
    return html`<span class="interval"><svg width="130" height="22" viewBox="0 0 160 22" aria-hidden="true"><path class="interval-axis" d="M4 11H156" /><path class="interval-range" d=${`M${x(team.low)} 11H${x(team.high)}M${x(team.low)} 5v12M${x(team.high)} 5v12`} /><circle cx=${x(team.rate)} cy="11" r="5" /></svg>
        <span class="num">${percent(team.rate)} <small>(${percent(team.low)}–${percent(team.high)})</small></span></span>`;
}

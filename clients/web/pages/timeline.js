// What happened, moment by moment: the game that runs, and those that are over with everything that was hidden.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { all, get } from '../api.js';
import { clockTime, dateTime, duration, t } from '../i18n.js';
import { spoken } from '../said.js';
import { useStore } from '../store.js';
import { eventLook, eventText, gameTitle, phaseName, roleName, seatName, teamName } from '../words.js';
import { moments } from '../replay.js';
import { Board, BoardWords } from '../board/index.js';
import { Outcome, Seats } from '../components/seats.js';
import { Emblem } from '../components/emblem.js';
import { Icon } from '../components/icons.js';
import { Badge, Button, Card, Choice, Empty, Page, Waiting, download, useAsk } from '../components/ui.js';
import { Story } from './table.js';

export function TimelinePage({ id }) {
    return id ? html`<${Replay} key=${id} id=${id} />` : html`<${History} />`;
}

function History() {
    const { table, view, games } = useStore();
    const ask = useAsk(() => all(`tables/${table}/history`, 'games', 200), [table, view.result?.over]);
    const running = view.game?.status === 'running';
    return html`<${Page} title=${t('nav.timeline')} lead=${t('timeline.lead')}>
        ${running && html`<${Card} title=${t('timeline.now')} icon="play" actions=${html`<a class="button small" href="#/timeline/now">${t('timeline.open')}</a>`}>
            <div class="history-row"><${Emblem} game=${view.game.game} size=${44} /><div><strong>${view.game.title}</strong><br /><small>${t('timeline.since', { at: dateTime(view.game.started_at) })}</small></div></div><//>`}
        <${Card} title=${t('timeline.past')} icon="film">
            <${Waiting} of=${ask} />
            ${ask.data && (ask.data.length ? html`<ul class="history">${ask.data.map((g) => html`<li key=${g.game_id}><a class="history-row" href=${`#/timeline/${g.game_id}`}>
                <${Emblem} game=${g.game} size=${44} />
                <div class="grow"><strong>${g.title || gameTitle(g.game, games)}</strong> <span class="muted">· ${t('timeline.seats', { n: Array.isArray(g.seats) ? g.seats.length : g.seats })}</span><br />
                    <small>${dateTime(g.started_at)} · ${duration(Date.parse(g.ended_at) - Date.parse(g.started_at))}</small></div>
                <div class="row">${g.aborted && html`<${Badge} icon="stop">${t('timeline.aborted')}<//>`}${won(g).map((word) => html`<${Badge} tone="good" icon="check">${word}<//>`)}</div></a></li>`)}</ul>` : html`<${Empty} icon="film" title=${t('timeline.none')} />`)}
        <//>
    <//>`;
}

const won = (g) => {
    const teams = (g.teams || []).filter((team) => typeof team === 'string' || team.won).map((team) => teamName(team.name || team));
    return teams.length ? teams : (g.winners || []).map((s) => seatName(s));
};

async function load(table, id, view) {
    if (id === 'now') {
        const entries = await all(`tables/${table}/timeline`, 'events');
        return { game: view.game, result: view.result, entries };
    }
    const [whole, entries] = await Promise.all([get(`tables/${table}/history/${id}`), all(`tables/${table}/history/${id}/timeline`, 'events')]);
    return { ...whole, entries };
}

const SPEEDS = ['1', '4', '16'];

function Replay({ id }) {
    const { table, view } = useStore();
    const ask = useAsk(() => load(table, id, view), [table, id]);
    const [at, setAt] = useState(0), [playing, setPlaying] = useState(false), [speed, setSpeed] = useState('4');
    const list = ask.data ? moments(ask.data.entries, ask.data.game, ask.data.result) : [];
    const last = Math.max(0, list.length - 1), here = list[Math.min(at, last)];
    useEffect(() => {
        if (!playing) return undefined;
        if (at >= last) { setPlaying(false); return undefined; }
        const gap = Math.min(2500, Math.max(120, (Date.parse(list[at + 1].at) - Date.parse(list[at].at)) / Number(speed)));
        const timer = setTimeout(() => setAt(at + 1), gap);
        return () => clearTimeout(timer);
    }, [playing, at, speed, last]);
    const step = (by) => { setPlaying(false); setAt(Math.max(0, Math.min(last, at + by))); };
    return html`<${Page} wide=${true} title=${t('timeline.replay')} lead=${ask.data ? `${ask.data.game?.title || ''} · ${dateTime(ask.data.game?.started_at)}` : ''}
        actions=${html`<a class="button" href="#/timeline"><${Icon} name="list" /><span>${t('timeline.all')}</span></a>
            <${Button} icon="down" disabled=${!ask.data} onClick=${() => download(`tabled-${id}.json`, JSON.stringify(ask.data, null, 1), 'application/json')}>${t('ui.export')}<//>`}>
        <${Waiting} of=${ask} />
        ${ask.data && !list.length && html`<${Empty} icon="film" title=${t('timeline.empty')} />`}
        ${here && html`
            <${Card} title=${t('timeline.moment', { n: at + 1, of: list.length })} icon="film">
                <input class="scrubber" type="range" min="0" max=${last} value=${at} aria-label=${t('timeline.scrub')} aria-valuetext=${`${clockTime(here.at)} ${momentText(here)}`} onInput=${(e) => { setPlaying(false); setAt(Number(e.target.value)); }} />
                <div class="row"><${Button} icon="undo" label=${t('timeline.back')} disabled=${at === 0} onClick=${() => step(-1)} />
                    <${Button} icon=${playing ? 'pause' : 'play'} kind="main-action" onClick=${() => { if (at >= last) setAt(0); setPlaying(!playing); }}>${playing ? t('timeline.stop') : t('timeline.play')}<//>
                    <${Button} icon="next" label=${t('timeline.forward')} disabled=${at >= last} onClick=${() => step(1)} />
                    <${Choice} label=${t('timeline.speed')} value=${speed} onChange=${setSpeed} options=${SPEEDS.map((s) => [s, `${s}×`])} />
                    <div class="grow"></div><p class="moment-now"><strong>${clockTime(here.at)}</strong> ${momentText(here)}</p></div>
                ${here.said && html`<p class="subtitles"><${Icon} name="speaker" /><span>${here.said.lines.map((line) => spoken(line, ask.data.game?.game, here.said.locale).text).join(' ')}</span></p>`}
            <//>
            <div class="table-grid">
                <div class="stack board-side">${here.view.board ? html`<${Board} view=${here.view} /><${BoardWords} view=${here.view} />` : html`<p class="muted">${t('timeline.noBoard')}</p>`}</div>
                <div class="stack">
                    <${Outcome} result=${here.view.result} seats=${here.view.seats} />
                    <${Card} title=${t('timeline.moments')} icon="list"><ol class="feed moments" tabindex="0" aria-label=${t('timeline.moments')}>${list.map((m, i) => {
                        const [icon, tone] = m.entry.topic === 'event' ? eventLook(m.entry.body.event) : ['next', ''];
                        return html`<li key=${i} class=${`${tone} ${i === at ? 'here' : ''}`}><time>${clockTime(m.at)}</time><${Icon} name=${icon} size=${18} /><button type="button" class="link-button" aria-current=${i === at ? 'step' : undefined} onClick=${() => step(i - at)}>${momentText(m)}</button></li>`;
                    })}</ol><//>
                    ${here.view.seats && html`<${Card} title=${t('seats.title')} icon="users"><${Seats} view=${here.view} /><//>`}
                    ${ask.data.result?.over && html`<${Truth} result=${ask.data.result} game=${ask.data.game?.game} seats=${here.view.seats} />`}
                </div>
            </div>`}
    <//>`;
}

const momentText = (m) => (m.entry.topic === 'event' ? eventText(m.entry.body, m.view.seats)
    : m.entry.topic === 'phase' ? `${phaseName(m.entry.body.id)}${m.entry.body.step ? ` · ${t('phase.step', { n: m.entry.body.step_index + 1, of: m.entry.body.steps })}` : ''}` : t(`topic.${m.entry.topic}`));

// After the end nothing is hidden any more.
function Truth({ result, game, seats }) {
    return html`<${Card} title=${t('truth.title')} icon="eye">
        <p class="muted">${t('truth.lead')}</p>
        ${result.seats.some((s) => s.role) && html`<ul class="truth">${result.seats.map((s) => html`<li key=${s.seat}><span>${seatName(s.seat, seats)}</span><strong class="grow">${s.role ? roleName(s.role) : '–'}</strong>
            <span>${s.team ? teamName(s.team) : ''}</span>${s.dead ? html`<${Badge} tone="bad" icon="cross">${t('seats.out')}<//>` : ''}${s.won ? html`<${Badge} tone="good" icon="check">${t('seats.won')}<//>` : ''}</li>`)}</ul>`}
        ${result.story.length > 0 && html`<h3>${t('story.title')}</h3><${Story} result=${result} game=${game} seats=${seats} />`}
    <//>`;
}

// The start page: the table as everybody may see it, and what the host may do.
import { html } from '../vendor/htm-preact.js';
import { clockTime, t } from '../i18n.js';
import { attempt, control, mayRun, state as store, useStore } from '../store.js';
import { post } from '../api.js';
import { eventLook, eventText, flagName, storyText } from '../words.js';
import { Board, BoardWords } from '../board/index.js';
import { PadMap } from '../components/padmap.js';
import { PhaseBar } from '../components/phasebar.js';
import { Outcome, Seats } from '../components/seats.js';
import { Rulings } from '../components/rulings.js';
import { Subtitles } from '../components/subtitles.js';
import { Icon } from '../components/icons.js';
import { Button, Card, Confirm, Empty, Page } from '../components/ui.js';

export function TablePage() {
    const { view, table, events } = useStore();
    if (!table) return html`<${Page} title=${t('nav.table')}><${Empty} icon="table" title=${t('table.none')}><p>${t('table.noneHint')}</p><//><//>`;
    const playing = !!view.game?.game;
    return html`<${Page} title=${t('nav.table')} wide=${true} lead=${playing ? '' : t('table.lead')}>
        <div class="live-data"><${PhaseBar} view=${view} /></div>
        ${mayRun() && html`<${Controls} view=${view} />`}
        <div class="table-grid">
            <div class="stack live-data board-side">
                ${playing ? html`<${Board} view=${view} /><${Subtitles} /><${BoardWords} view=${view} />` : html`<${PadMap} />`}
            </div>
            <div class="stack live-data">
                <${Outcome} result=${view.result} seats=${view.seats} />
                <${Rulings} view=${view} />
                ${playing && html`<${Card} title=${t('seats.title')} icon="users"><${Seats} view=${view} /><//>`}
                ${view.result?.over && view.result.story.length > 0 && html`<${Card} title=${t('story.title')} icon="book"><${Story} result=${view.result} game=${view.game?.game} seats=${view.seats} /><//>`}
                <${Card} title=${t('feed.title')} icon="list"><${Feed} events=${events} seats=${view.seats} /><//>
            </div>
        </div>
    <//>`;
}

function Controls({ view }) {
    const { phase, game } = view;
    const running = game?.status === 'running', over = game?.status === 'ended', dark = phase?.veil === 'dark';
    const act = (what, good) => () => attempt(() => control(what), good);
    const verbs = store.games?.find((g) => g.id === game?.game)?.verbs || [];
    const begin = running && phase?.id === 'deal' && verbs.some((v) => v.name === 'begin');
    return html`<div class="controls row" role="toolbar" aria-label=${t('control.title')}>
        ${!running && html`<a class="button main-action" href="#/new"><${Icon} name="plus" /><span>${t('control.new')}</span></a>`}
        ${over && html`<${Button} icon="repeat" onClick=${act('again', t('control.againDone'))}>${t('control.again')}<//>`}
        ${running && (phase?.paused
            ? html`<${Button} icon="play" kind="main-action" onClick=${act('resume')}>${t('control.resume')}<//>`
            : html`<${Button} icon="pause" onClick=${act('pause')}>${t('control.pause')}<//>`)}
        ${begin && html`<${Button} icon="moon" kind="main-action" onClick=${() => attempt(() => post(`tables/${store.table}/actions`, { text: 'table begin' }))}>${t('control.begin')}<//>`}
        ${running && html`<${Button} icon="next" disabled=${dark || phase?.paused} onClick=${act('next')}>${t('control.next')}<//>
            <${Button} icon="speaker" onClick=${act('repeat', t('control.repeatDone'))}>${t('control.repeat')}<//>
            <${Button} icon="undo" disabled=${dark} onClick=${act('undo', t('control.undoDone'))}>${t('control.undo')}<//>
            <${Confirm} icon="stop" kind="danger" label=${t('control.end')} question=${t('control.endAsk')} onYes=${act('end', t('control.endDone'))}>${t('control.end')}<//>`}
        <div class="grow"></div>
        <a class="button quiet" href="#/spectator"><${Icon} name="screen" /><span>${t('nav.spectator')}</span></a>
    </div>`;
}

export function Feed({ events, seats }) {
    if (!events.length) return html`<p class="muted">${t('feed.none')}</p>`;
    return html`<ol class="feed" tabindex="0" aria-live="polite" aria-label=${t('feed.title')}>${events.map((e) => {
        const [icon, tone] = eventLook(e.event);
        return html`<li key=${e.header.seq} class=${tone}><time datetime=${e.header.at}>${clockTime(e.header.at)}</time><${Icon} name=${icon} size=${18} /><span>${eventText(e, seats)}</span></li>`;
    })}</ol>`;
}

export function Story({ result, game, seats }) {
    return html`<ol class="story" tabindex="0" aria-label=${t('story.title')}>${result.story.map((row, i) => html`<li key=${i}>
        <span class="story-step">${row.step || ''}</span><span>${storyText(row, game, seats)}${row.flags.map((flag) => html` <span class="story-flag">${flagName(flag)}</span>`)}</span></li>`)}</ol>`;
}

// One drawing for each game, made from the places of the board message; a game without one gets the plain drawing.
import { html } from '../vendor/htm-preact.js';
import { t } from '../i18n.js';
import { kindName, placeName, seatName } from '../words.js';
import { Defs, Marks } from './pieces.js';
import { OneNight } from './one_night.js';
import { NotAlone } from './not_alone.js';
import { BattleSheep } from './battle_sheep.js';
import { Elfenland } from './elfenland.js';
import { AlienHunt } from './alien_hunt.js';
import { Plain } from './plain.js';

const drawings = { one_night: OneNight, not_alone: NotAlone, battle_sheep: BattleSheep, elfenland: Elfenland, alien_hunt: AlienHunt };

// Which places a violation, a prompt or an open choice points at.
export function marksOf(violation) {
    const marks = { places: new Set(), repairs: [] };
    for (const one of violation?.violations || []) {
        one.places.forEach((name) => marks.places.add(name));
        marks.repairs.push(...one.repairs);
    }
    if (!marks.repairs.length) marks.repairs.push(...(violation?.prompt || []));
    return marks;
}

export function seatStates({ seats, phase, result }) {
    const states = {};
    for (const row of seats?.seats || []) {
        const end = result?.over ? result.seats.find((s) => s.seat === row.seat) : null;
        states[row.seat] = {
            turn: phase?.turn?.includes(row.seat), acted: row.acted && !result?.over, away: !row.present, dead: !row.alive && phase?.id !== 'over' || end?.dead,
            won: end?.won, label: row.label,
        };
    }
    return states;
}

// What a reader feels goes before what the rules say lies there: something is there, or it is in somebody's hand.
const HIDDEN = { kind: '', n: 1, face: 'down' };
function seen(place) {
    if (!place.sensed) return place;
    if (place.level === 'occupied' && !place.items.length) return { ...place, items: [HIDDEN] };
    if (place.level === 'empty' && place.items.length) return { ...place, items: place.items.map((item) => ({ ...item, lifted: true })) };
    return place;
}

export function Board({ view, title, className = '' }) {
    const { board, phase, game, seats, violation } = view;
    if (!board || !game?.game) return null;
    if (board.header.game_id !== game.header.game_id) return null; // the board of the game before: its own is on its way
    const Drawing = drawings[game.game] || Plain;
    const marks = marksOf(violation), states = seatStates(view);
    const places = new Map(board.places.map((p) => [p.name, seen(p)]));
    const shape = Drawing.frame ? Drawing.frame(places, view) : { box: [0, 0, 1000, 1000] };
    const at = (name) => (Drawing.at ? Drawing.at(name, places, shape) : places.get(name));
    return html`<figure class=${`board ${phase?.veil === 'dark' ? 'dark' : ''} ${className}`}>
        <svg viewBox=${shape.box.join(' ')} role="img" aria-label=${title || summary(view)} preserveAspectRatio="xMidYMid meet">
            <${Defs} />
            <${Drawing} places=${places} states=${states} view=${view} shape=${shape} />
            <${Marks} marks=${marks} at=${at} />
        </svg>
    </figure>`;
}

function summary({ board, game }) {
    const full = board.places.map(seen).filter((p) => p.items.length).length;
    return t('board.summary', { game: game.title, full, places: board.places.length });
}

const what = (place) => (place.items[0]?.lifted ? t('board.lifted') : place.items.length ? place.items.map((item) => `${item.n > 1 ? `${item.n} × ` : ''}${kindName(item.kind)}`).join(', ')
    : place.sensed && place.level === 'unknown' ? t('board.unknown') : t('board.empty'));

// The same in words, for whoever cannot see the drawing or wants to be sure.
export function BoardWords({ view, all }) {
    const marks = marksOf(view.violation);
    const rows = (view.board?.places || []).map(seen).filter((p) => all || p.items.length || marks.places.has(p.name) || (p.sensed && p.level === 'unknown'));
    return html`<details class="board-words"><summary>${t('board.inWords')}</summary>
        <ul>${rows.map((p) => html`<li><strong>${placeName(p.name)}</strong> ${p.seat && html`<span class="muted">${seatName(p.seat, view.seats)}</span> `}${what(p)}${marks.places.has(p.name) ? ` · ${t('board.marked')}` : ''}</li>`)}</ul>
        ${!rows.length && html`<p class="muted">${t('board.nothing')}</p>`}
    </details>`;
}

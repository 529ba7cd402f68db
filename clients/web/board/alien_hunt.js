// Alien Hunt: characters and hidden identities around the table, the tokens each has received before them.
import { html } from '../vendor/htm-preact.js';
import { kindName } from '../words.js';
import { Count, Disc, Pad, SeatPlate, Tile } from './pieces.js';

export function AlienHunt({ places, states, view }) {
    const all = [...places.values()];
    const seats = [...new Set(all.filter((p) => p.seat).map((p) => p.seat))];
    return html`
        <rect class="felt-edge" x="4" y="0" width="992" height="1000" rx="120" /><rect class="felt" x="14" y="10" width="972" height="980" rx="112" fill="url(#felt)" />
        <ellipse class="felt-ring" cx="500" cy="500" rx="235" ry="215" />
        <path class="saucer" d="M420 520q80-54 160 0q-80 40-160 0zM462 498q38-50 76 0" />
        ${all.filter((p) => !p.seat && p.items.length).map((p) => html`<${Centre} key=${p.name} place=${p} />`)}
        ${seats.map((seat) => html`<${Seat} key=${seat} seat=${seat} at=${(what) => all.find((p) => p.seat === seat && p.name.endsWith(`.${what}`))} state=${states[seat] || {}} points=${points(view, seat)} />`)}`;
}

const points = (view, seat) => view.seats?.counters.find((c) => c.name === 'points' && c.seat === seat)?.value;

function Seat({ seat, at, state, points: score }) {
    const character = at('character'), identity = at('identity'), received = at('received'), reserve = at('reserve');
    if (!character || !identity) return null;
    const tokens = received.items.flatMap((item) => Array.from({ length: Math.min(item.n, 8) }, () => item));
    const step = tokens.length > 4 ? 156 / tokens.length : 39;
    return html`<g><${Pad} x=${character.x} y=${character.y} w=${78} h=${96} place=${character} /><${Pad} x=${identity.x} y=${identity.y} w=${78} h=${96} place=${identity} />
        <${Tile} x=${character.x} y=${character.y} w=${70} h=${88} item=${character.items[0]} small=${true} />
        <${Tile} x=${identity.x} y=${identity.y} w=${70} h=${88} item=${identity.items[0]} small=${true} tone=${state.won ? 'won' : ''} />
        ${tokens.map((item, i) => html`<${Disc} x=${received.x + (i - (tokens.length - 1) / 2) * step} y=${received.y - 4} r=${17} text=${mark(item.kind)} tone=${tone(item.kind)} title=${kindName(item.kind)} />`)}
        ${reserve.items.length > 0 && html`<${Disc} x=${reserve.x - 18} y=${reserve.y} r=${13} text="●" title=${kindName(reserve.items[0].kind)} n=${reserve.items.reduce((s, i) => s + i.n, 0)} />`}
        <${SeatPlate} x=${received.x + 12} y=${reserve.y + 4} n=${seat.slice(1)} state=${state} />
        ${score !== undefined && html`<g class="score"><rect x=${received.x + 46} y=${reserve.y - 14} width="44" height="34" rx="10" /><text x=${received.x + 68} y=${reserve.y + 4} font-size="20" text-anchor="middle" dominant-baseline="central">${score}</text></g>`}
    </g>`;
}

const mark = (kind) => (!kind ? '?' : `${kind.startsWith('action') ? 'A' : 'O'}${kind.split('_')[1]}`);
const tone = (kind) => (!kind ? '' : kind.startsWith('action') ? 'red' : 'blue');

function Centre({ place }) {
    const { x, y, items } = place, total = items.reduce((sum, i) => sum + i.n, 0);
    return html`<g><${Tile} x=${x} y=${y} w=${56} h=${70} item=${{ ...items[0], n: 1 }} small=${true} />${total > 1 && html`<${Count} x=${x + 26} y=${y - 32} n=${total} />`}</g>`;
}

AlienHunt.at = (name, places) => {
    const p = places.get(name);
    return p && { x: p.x, y: p.y, w: /received/.test(name) ? 150 : 74, h: /received|reserve|ability/.test(name) ? 40 : 92 };
};

// One Night: the seats in a circle, the centre between them, a tile on every pad.
import { html } from '../vendor/htm-preact.js';
import { t } from '../i18n.js';
import { kindName } from '../words.js';
import { Disc, Pad, SeatPlate, Tile, Words } from './pieces.js';

const SEAT = /^s\d+$/, CENTRE = /^c\d$/;

export function OneNight({ places, states, view }) {
    const all = [...places.values()];
    const seats = all.filter((p) => SEAT.test(p.name)), centre = all.filter((p) => CENTRE.test(p.name));
    const rest = all.filter((p) => !SEAT.test(p.name) && !CENTRE.test(p.name) && p.items.length);
    const w = seats.length > 9 ? 84 : seats.length > 6 ? 96 : 108, h = w * 1.27;
    return html`
        <circle class="felt-edge" cx="500" cy="500" r="496" /><circle class="felt" cx="500" cy="500" r="484" fill="url(#felt)" />
        <circle class="felt-ring" cx="500" cy="500" r="296" />
        <${Sky} veil=${view.phase?.veil} />
        ${centre.map((p) => html`<g key=${p.name}><${Pad} x=${p.x} y=${p.y} place=${p} w=${96} h=${122} /><${Tile} x=${p.x} y=${p.y} w=${88} h=${112} item=${p.items[0]} /></g>`)}
        <${Words} x=${500} y=${centre.length ? 588 : 500} text=${t('place.middle')} size=${18} weight=${500} fill="var(--felt-line)" most=${20} />
        ${seats.map((p) => {
            const out = Math.hypot(p.x - 500, p.y - 500) || 1, plate = { x: p.x - ((p.y - 500) / out) * (w * 0.62 + 26), y: p.y + ((p.x - 500) / out) * (h * 0.5 + 26) };
            const state = states[p.seat] || {};
            const role = view.result?.over && view.result.seats.find((s) => s.seat === p.seat)?.role;
            const item = p.items[0] && !p.items[0].kind && role ? { ...p.items[0], kind: role, face: 'up' } : p.items[0];
            return html`<g key=${p.name}>
                <${Pad} x=${p.x} y=${p.y} w=${w + 14} h=${h + 14} place=${p} />
                <${Tile} x=${p.x} y=${p.y} w=${w} h=${h} item=${item} tone=${state.dead ? 'lost' : state.won ? 'won' : ''} />
                ${p.items.slice(1).map((extra, i) => html`<${Disc} x=${p.x + 30 - 26 * i} y=${p.y + 44} r=${18} text=${token(extra.kind)} title=${kindName(extra.kind)} />`)}
                <${SeatPlate} x=${plate.x} y=${plate.y} n=${p.name.slice(1)} state=${state} />
            </g>`;
        })}
        ${rest.map((p) => p.items.map((item, i) => html`<${Disc} key=${p.name + i} x=${p.x + (i - (p.items.length - 1) / 2) * 34} y=${p.y} r=${18} text=${token(item.kind)} title=${kindName(item.kind)} n=${item.n} />`))}`;
}

const token = (kind) => (/^(token|ballot)_(\d+)/.exec(kind) || [])[2] || (kind ? Array.from(kindName(kind))[0].toUpperCase() : '•');

// A moon over the middle while it is dark, a sun in the open.
function Sky({ veil }) {
    if (veil === 'dark') return html`<g class="sky"><path d="M520 372a44 44 0 1 1-40-66 36 36 0 0 0 40 66z" /><circle cx="436" cy="318" r="3" /><circle cx="560" cy="322" r="4" /><circle cx="576" cy="372" r="3" /></g>`;
    if (veil === 'open') return html`<g class="sky"><circle cx="500" cy="345" r="24" />${Array.from({ length: 8 }, (_, i) => html`<path d="M500 308v-14" transform=${`rotate(${i * 45} 500 345)`} />`)}</g>`;
    return null;
}
OneNight.at = (name, places) => places.get(name);

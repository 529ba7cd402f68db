// Battle Sheep: the pasture as far as it has been laid, stacks with their height.
import { html } from '../vendor/htm-preact.js';
import { kindName } from '../words.js';
import { Words, shade } from './pieces.js';

const CELL = /^hex\.(-?\d+),(-?\d+)$/;
const cells = (places) => [...places.values()].filter((p) => CELL.test(p.name));

function pitchOf(list) {
    const row = list.filter((p) => p.y === list[0]?.y).map((p) => p.x).sort((a, b) => a - b);
    return row.length > 1 ? row[1] - row[0] : 54;
}

const hexagon = (x, y, r) => Array.from({ length: 6 }, (_, i) => {
    const a = Math.PI / 6 + (i * Math.PI) / 3;
    return `${(x + r * Math.cos(a)).toFixed(1)},${(y + r * Math.sin(a)).toFixed(1)}`;
}).join(' ');

const inside = ({ x, y }, [left, top, width, height], margin) => x > left + margin && x < left + width - margin && y > top + margin && y < top + height - margin;

export function BattleSheep({ places, shape }) {
    const list = cells(places), r = shape.pitch / Math.sqrt(3);
    return html`
        <rect class="felt" x=${shape.box[0]} y=${shape.box[1]} width=${shape.box[2]} height=${shape.box[3]} rx=${shape.box[2] / 28} fill="url(#felt)" />
        ${list.filter((p) => !p.items.length && inside(p, shape.box, r / 3)).map((p) => html`<circle key=${p.name} class="lattice" cx=${p.x} cy=${p.y} r=${r / 9} />`)}
        ${list.filter((p) => p.items.length).map((p) => html`<${Cell} key=${p.name} place=${p} r=${r} />`)}
        ${!shape.laid && html`<${Words} x=${500} y=${430} text="◇" size=${60} fill="var(--felt-line)" />`}`;
}

function Cell({ place, r }) {
    const { x, y } = place;
    const stack = place.items.find((item) => item.kind !== 'tile' && !/^token/.test(item.kind));
    const owner = stack && /_(\w)$/.exec(stack.kind)?.[1];
    return html`<g><polygon class="pasture" points=${hexagon(x, y, r * 0.97)} stroke-width=${r / 9} />
        <path class="grass" d=${`M${x - r * 0.5} ${y + r * 0.5}l${r * 0.1} ${-r * 0.16}l${r * 0.1} ${r * 0.16}M${x + r * 0.3} ${y - r * 0.45}l${r * 0.08} ${-r * 0.14}l${r * 0.08} ${r * 0.14}`} stroke-width=${r / 14} />
        ${owner && html`<g class="flock"><title>${`${stack.n} × ${kindName(stack.kind)}`}</title>
            <circle cx=${x} cy=${y} r=${r * 0.62} fill=${shade(owner)} stroke-width=${r / 12} />
            <text x=${x} y=${y + r * 0.02} font-size=${r * 0.62} text-anchor="middle" dominant-baseline="central" fill=${owner === 'w' ? '#1b1f22' : '#fff'}>${stack.n}</text>
            <text class="flock-letter" x=${x + r * 0.42} y=${y + r * 0.5} font-size=${r * 0.36} text-anchor="middle" dominant-baseline="central">${owner.toUpperCase()}</text></g>`}
    </g>`;
}

// As large as the pasture allows: the frame follows what has been laid.
BattleSheep.frame = (places) => {
    const list = cells(places), pitch = pitchOf(list);
    if (!list.length) return { box: [0, 0, 1000, 1000], pitch, laid: 0 };
    const laid = list.filter((p) => p.items.length);
    const of = laid.length ? laid : list;
    const xs = of.map((p) => p.x), ys = of.map((p) => p.y), margin = laid.length ? pitch * 1.9 : pitch;
    const x = Math.min(...xs) - margin, y = Math.min(...ys) - margin;
    return { box: [x, y, Math.max(...xs) + margin - x, Math.max(...ys) + margin - y].map(Math.round), pitch, laid: laid.length };
};
BattleSheep.at = (name, places, shape) => {
    const p = places.get(name);
    return p && { x: p.x, y: p.y, w: shape.pitch * 0.8, h: shape.pitch * 0.8 };
};

// What all tables are drawn with, in a square of 1000 x 1000: cards, tokens, rings, arrows. Numbers and shapes say what
// colours say too.
import { html } from '../vendor/htm-preact.js';
import { kindName } from '../words.js';

// Letters of other scripts are about twice as wide.
const wide = (line) => Array.from(line).reduce((sum, c) => sum + (c > '\u2e80' ? 1.75 : 1), 0);

// Text in lines of at most `most` letters, centred on x, y.
export function Words({ x, y, text, most = 10, size = 15, weight = 600, fill, room }) {
    const lines = wrap(text, most);
    if (room) size = Math.min(size, room / (0.6 * Math.max(...lines.map(wide))));
    const top = y - ((lines.length - 1) * size * 1.1) / 2;
    return html`<text class="words" x=${x} y=${top} font-size=${size} font-weight=${weight} text-anchor="middle" dominant-baseline="central" fill=${fill}>
        ${lines.map((line, i) => html`<tspan x=${x} dy=${i ? size * 1.1 : 0}>${line}</tspan>`)}
    </text>`;
}

const SOFT = '\u00ad'; // where a long name may be parted
function wrap(text, most) {
    if (/[\u3000-\u9fff]/.test(text)) most = Math.max(4, Math.floor(most / 1.7));
    const lines = [];
    const words = String(text).split(' ').flatMap((word) => (word.length > most ? word.split(SOFT).map((part, i, all) => (i < all.length - 1 ? `${part}-` : part)) : [word.replaceAll(SOFT, '')]));
    for (const word of words) {
        const last = lines[lines.length - 1];
        if (last !== undefined && last.length + word.length + 1 <= most) lines[lines.length - 1] = `${last} ${word}`;
        else lines.push(word);
    }
    const cut = lines.flatMap((line) => (line.length > most + 2 && most > 3 ? [line.slice(0, most), line.slice(most)] : [line]));
    return cut.slice(0, 3);
}

// A playing tile: its back hides everything; its face bears the name and, for the far side of the room, a large letter.
export function Tile({ x, y, w = 84, h = 108, item, small, tone = '' }) {
    const up = item && item.kind && item.face !== 'down';
    const left = x - w / 2, top = y - h / 2, r = w / 8;
    if (!item) return null;
    if (!up) {
        return html`<g class=${`tile back ${item.lifted ? 'lifted' : ''}`}><rect class="tile-edge" x=${left} y=${top} width=${w} height=${h} rx=${r} />
            <rect class="tile-back" x=${left + w / 12} y=${top + w / 12} width=${w * 5 / 6} height=${h - w / 6} rx=${r * 0.7} />
            <circle class="tile-sign" cx=${x} cy=${y} r=${w / 5} /><circle class="tile-dot" cx=${x} cy=${y} r=${w / 14} />
            ${item.n > 1 && html`<${Count} x=${left + w} y=${top} n=${item.n} />`}</g>`;
    }
    const name = kindName(item.kind);
    return html`<g class=${`tile face ${tone} ${item.lifted ? 'lifted' : ''}`}><rect class="tile-edge" x=${left} y=${top} width=${w} height=${h} rx=${r} />
        <rect class="tile-band" x=${left} y=${top} width=${w} height=${h * 0.46} rx=${r} />
        <text class="tile-letter" x=${x} y=${top + h * 0.25} font-size=${h * 0.36} text-anchor="middle" dominant-baseline="central">${Array.from(name)[0]}</text>
        <${Words} x=${x} y=${top + h * 0.72} text=${name} most=${small ? 9 : 10} size=${w / 5} room=${w - 8} fill="var(--card-ink)" />
        ${item.n > 1 && html`<${Count} x=${left + w} y=${top} n=${item.n} />`}</g>`;
}

export const Count = ({ x, y, n }) => html`<g class="count"><circle cx=${x} cy=${y} r="15" /><text x=${x} y=${y + 1} font-size="18" text-anchor="middle" dominant-baseline="central">${n}</text></g>`;

// Where something may lie. What no reader feels has no frame of its own; what cannot be known is hatched.
export function Pad({ x, y, w = 96, h = 120, place }) {
    const unknown = place.sensed && place.level === 'unknown';
    const kind = unknown ? 'unknown' : place.sensed ? 'sensed' : 'plain';
    return html`<g class=${`pad ${kind}`}><rect x=${x - w / 2} y=${y - h / 2} width=${w} height=${h} rx="14" />
        ${unknown && html`<text class="pad-doubt" x=${x} y=${y} font-size="44" text-anchor="middle" dominant-baseline="central">?</text>`}</g>`;
}

const SHADES = {
    red: '#d1433a', blue: '#3b74c9', green: '#3a9150', yellow: '#e3b92f', black: '#2b2f33', purple: '#8657b8', white: '#f4f1e6',
    r: '#d1433a', b: '#3b74c9', w: '#f4f1e6', k: '#2b2f33',
};
export const shade = (word) => SHADES[word] || '#d8c79b';
const dark = (word) => ['yellow', 'white', 'w'].includes(word) || !SHADES[word];

// A round token with a letter or number on it.
export function Disc({ x, y, r = 20, text, tone = '', title, n }) {
    return html`<g class="disc">${title && html`<title>${title}</title>`}<circle cx=${x} cy=${y} r=${r} fill=${shade(tone)} />
        <text x=${x} y=${y + 1} font-size=${r * (String(text).length > 2 ? 0.75 : 1.05)} text-anchor="middle" dominant-baseline="central" fill=${dark(tone) ? '#1b1f22' : '#fff'}>${text}</text>
        ${n > 1 && html`<${Count} x=${x + r * 0.9} y=${y - r * 0.9} n=${n} />`}</g>`;
}

// Where a repair begins and ends, numbered; drawn above everything.
export function Marks({ marks, at }) {
    const rings = [...marks.places].map((name) => at(name)).filter(Boolean);
    const steps = marks.repairs.map((repair, i) => ({ n: i + 1, from: repair.take !== repair.put && at(repair.take), to: at(repair.put) }));
    return html`<g class="marks">
        ${rings.map((p) => html`<g class="ring"><rect x=${p.x - (p.w || 100) / 2 - 8} y=${p.y - (p.h || 124) / 2 - 8} width=${(p.w || 100) + 16} height=${(p.h || 124) + 16} rx="20" />
            <g class="bang"><circle cx=${p.x + (p.w || 100) / 2} cy=${p.y + (p.h || 124) / 2} r="18" /><text x=${p.x + (p.w || 100) / 2} y=${p.y + (p.h || 124) / 2 + 1} font-size="26" text-anchor="middle" dominant-baseline="central">!</text></g></g>`)}
        ${steps.filter((s) => s.from && s.to).map((s) => html`<${Arrow} from=${s.from} to=${s.to} n=${s.n} />`)}
        ${steps.filter((s) => !(s.from && s.to) && (s.from || s.to)).map((s) => html`<${StepDot} x=${(s.from || s.to).x} y=${(s.from || s.to).y} n=${s.n} />`)}
    </g>`;
}

function Arrow({ from, to, n }) {
    const dx = to.x - from.x, dy = to.y - from.y, length = Math.hypot(dx, dy) || 1;
    const ux = dx / length, uy = dy / length, bend = 40 + length * 0.08;
    const x1 = from.x + ux * 36, y1 = from.y + uy * 36, x2 = to.x - ux * 58, y2 = to.y - uy * 58;
    const cx = (x1 + x2) / 2 - uy * bend, cy = (y1 + y2) / 2 + ux * bend;
    const mx = (x1 + 2 * cx + x2) / 4, my = (y1 + 2 * cy + y2) / 4;
    return html`<g class="arrow"><path class="arrow-line" d=${`M${x1} ${y1}Q${cx} ${cy} ${x2} ${y2}`} marker-end="url(#arrow-head)" /><${StepDot} x=${mx} y=${my} n=${n} /></g>`;
}

const StepDot = ({ x, y, n }) => html`<g class="step-dot"><circle cx=${x} cy=${y} r="21" /><text x=${x} y=${y + 1} font-size="26" text-anchor="middle" dominant-baseline="central">${n}</text></g>`;

// The little plate with a seat's number and how it is with it.
export function SeatPlate({ x, y, n, state = {}, text }) {
    const r = 27;
    return html`<g class=${`plate ${state.turn ? 'turn' : ''} ${state.away ? 'away' : ''} ${state.won ? 'won' : ''}`}>
        ${state.turn && html`<circle class="plate-ring" cx=${x} cy=${y} r=${r + 8} />`}
        <circle class="plate-body" cx=${x} cy=${y} r=${r} />
        <text x=${x} y=${y + 1} font-size=${String(text ?? n).length > 2 ? 18 : 28} text-anchor="middle" dominant-baseline="central">${text ?? n}</text>
        ${state.acted && !state.dead && html`<g class="plate-done"><circle cx=${x + r * 0.85} cy=${y - r * 0.75} r="14" /><path d=${`M${x + r * 0.85 - 7} ${y - r * 0.75}l5 5 9-9`} /></g>`}
        ${state.dead && html`<g class="plate-dead"><circle cx=${x + r * 0.85} cy=${y - r * 0.75} r="15" /><path d=${`M${x + r * 0.85 - 6} ${y - r * 0.75 - 6}l12 12m0-12l-12 12`} /></g>`}
    </g>`;
}

export const Defs = () => html`<defs>
    <radialGradient id="felt" cx="50%" cy="42%" r="75%"><stop offset="0" stop-color="var(--felt)" /><stop offset="1" stop-color="var(--felt-2)" /></radialGradient>
    <pattern id="hatch" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v14" stroke="var(--felt-line)" stroke-width="5" /></pattern>
    <pattern id="weave" width="16" height="16" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="16" height="16" fill="#7a3d35" /><path d="M0 8h16M8 0v16" stroke="#94564a" stroke-width="2.500" /></pattern>
    <marker id="arrow-head" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="4.500" markerHeight="4.500" orient="auto-start-reverse"><path d="M0 0l10 5-10 5z" fill="var(--mark)" /></marker>
</defs>`;

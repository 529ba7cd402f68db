// The pads as they are built in, by millimetres, with the state of their readers.
import { html, useRef } from '../vendor/htm-preact.js';
import { get } from '../api.js';
import { t } from '../i18n.js';
import { useStore } from '../store.js';
import { placeName } from '../words.js';
import { Defs } from '../board/pieces.js';
import { useAsk, Waiting } from './ui.js';

export function usePads() {
    const { table, view } = useStore();
    return useAsk(() => get(`tables/${table}/map`), [table, view.game?.header.game_id]);
}

// The pad whose level has changed last, as all are told it: without a game places are pads, with one the map leads to them.
export function useTouched(pads) {
    const { view } = useStore(), seen = useRef({}), last = useRef(null), board = view.board;
    if (board && seen.current.board !== board) {
        const levels = Object.fromEntries(board.places.filter((p) => p.sensed).map((p) => [p.name, p.level]));
        const before = seen.current.of === board.header.game_id ? seen.current.levels : null;
        const place = before && Object.keys(levels).find((name) => before[name] && before[name] !== levels[name]);
        if (place) last.current = place;
        seen.current = { board, levels, of: board.header.game_id };
    }
    return (last.current && pads?.find((p) => p.name === last.current || p.places.includes(last.current))) || null;
}

// Pads that hold something, by their own names.
function occupied(board, pads) {
    const full = new Set((board?.places || []).filter((p) => p.level === 'occupied').map((p) => p.name));
    return new Set(pads.filter((p) => full.has(p.name) || p.places.some((place) => full.has(place))).map((p) => p.name));
}

export function PadMap({ chosen }) {
    const { view } = useStore();
    const pads = usePads();
    if (!pads.data) return html`<${Waiting} of=${pads} />`;
    const list = lay(pads.data.pads);
    if (!list.length) return html`<p class="muted">${t('pads.none')}</p>`;
    const full = occupied(view.board, list);
    const up = Object.fromEntries((view.readers?.readers || []).map((r) => [r.name, r.up]));
    const xs = list.map((p) => p.x), ys = list.map((p) => p.y), size = list[0].size;
    const box = [Math.min(...xs) - size, Math.min(...ys) - size, Math.max(...xs) - Math.min(...xs) + 2 * size, Math.max(...ys) - Math.min(...ys) + 2 * size];
    return html`<figure class="board padmap"><svg viewBox=${box.join(' ')} role="img" aria-label=${t('pads.map', { n: list.length })}><${Defs} />
        <rect class="wood" x=${box[0]} y=${box[1]} width=${box[2]} height=${box[3]} rx=${size / 2.5} />
        ${list.map((p) => {
            const down = up[p.reader] === false, half = size * 0.36;
            return html`<g key=${p.name}>${p.kind === 'tap' ? html`<circle class=${`spot ${down ? 'down' : ''}`} cx=${p.x} cy=${p.y} r=${half} />` : html`<rect class=${`spot ${down ? 'down' : ''}`} x=${p.x - half} y=${p.y - half} width=${2 * half} height=${2 * half} rx=${half / 4} />`}
                <text x=${p.x} y=${p.y} font-size=${size * 0.22} text-anchor="middle" dominant-baseline="central">${p.name}</text>
                ${down && html`<text x=${p.x} y=${p.y + size * 0.24} font-size=${size * 0.15} text-anchor="middle" dominant-baseline="central">${t('pads.down')}</text>`}
                ${full.has(p.name) && html`<circle class="pad-full" cx=${p.x + half * 0.7} cy=${p.y - half * 0.7} r=${half * 0.16} />`}
                ${chosen === p.name && html`<circle class="plate-ring" cx=${p.x} cy=${p.y} r=${half * 1.3} />`}</g>`;
        })}</svg></figure>`;
}

// Pads without a position stand in rows.
function lay(pads) {
    const placed = new Set(pads.map((p) => `${p.x},${p.y}`)).size > 1;
    const columns = Math.ceil(Math.sqrt(pads.length));
    const list = pads.map((p, i) => (placed ? p : { ...p, x: (i % columns) * 120, y: Math.floor(i / columns) * 120 }));
    let nearest = 120;
    for (let i = 0; placed && i < list.length; i++) for (let j = 0; j < i; j++) {
        const d = Math.hypot(list[i].x - list[j].x, list[i].y - list[j].y);
        if (d > 0) nearest = Math.min(nearest, d);
    }
    return list.map((p) => ({ ...p, size: placed ? Math.max(nearest, 20) : 120 }));
}

export function PadList({ pads }) {
    const heads = ['pad', 'kind', 'reader', 'places'].map((key) => t(`pads.${key}`));
    return html`<table class="list cards" role="table"><thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th role="columnheader">${head}</th>`)}</tr></thead>
        <tbody role="rowgroup">${pads.map((p) => html`<tr key=${p.name} role="row">${[html`<strong>${p.name}</strong>`, t(`pads.${p.kind}`), html`<span class="mono">${p.reader}:${p.antenna}</span>`, `${p.places.slice(0, 6).map(placeName).join(', ')}${p.places.length > 6 ? ` +${p.places.length - 6}` : ''}`]
            .map((cell, i) => html`<td role="cell" data-label=${i ? heads[i] : undefined}>${cell}</td>`)}</tr>`)}</tbody></table>`;
}

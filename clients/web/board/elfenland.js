// Elfenland: the map with towns and roads, boots and pieces on the towns, counters on the roads, the market beside it.
import { html } from '../vendor/htm-preact.js';
import { t } from '../i18n.js';
import { colour, kindName, town } from '../words.js';
import { Count, Disc, Tile, Words, shade } from './pieces.js';

const TERRAIN = /_(plains|forest|desert|mountain|river|lake)$/;

// A road's id is made of the ids of its two towns, in this order, and its terrain.
function roadsOf(places) {
    const towns = [...places.keys()].filter((name) => name.startsWith('town_')).map((name) => name.slice(5));
    const pairs = new Map();
    return [...places.values()].filter((p) => TERRAIN.test(p.name) && !p.name.startsWith('town_')).map((place) => {
        const terrain = TERRAIN.exec(place.name)[1], rest = place.name.replace(TERRAIN, '');
        const a = towns.find((id) => rest.startsWith(`${id}_`) && towns.includes(rest.slice(id.length + 1)));
        if (!a) return null;
        const b = rest.slice(a.length + 1), key = [a, b].sort().join();
        const index = pairs.get(key) || 0;
        pairs.set(key, index + 1);
        return { place, terrain, from: places.get(`town_${a}`), to: places.get(`town_${b}`), index };
    }).filter(Boolean);
}

// Water bears no counters, so the board message has no places for it. A river flows from the first town to the second.
const WATER = `river beata elvenhold, river elvenhold rivinia, river ixara mah_davikia, river mah_davikia grangor, river rivinia tichih, river virst ixara,
    river wylhien usselen, lake elvenhold strykhaven, lake elvenhold virst, lake grangor parundia, lake grangor yttar, lake parundia yttar,
    lake strykhaven virst`.split(',').map((row) => row.trim().split(' '));

function water(places, roads) {
    return WATER.map(([terrain, a, b]) => ({ terrain, from: places.get(`town_${a}`), to: places.get(`town_${b}`) })).filter((w) => w.from && w.to)
        .map((w) => ({ ...w, index: roads.some((r) => (r.from === w.from && r.to === w.to) || (r.from === w.to && r.to === w.from)) ? 1 : 0 }));
}

// Two ways between the same towns bow apart; every one has its middle where its counter lies.
function bow({ from, to, index }) {
    const bend = index ? 46 : -10, dx = to.x - from.x, dy = to.y - from.y, length = Math.hypot(dx, dy) || 1;
    const cx = (from.x + to.x) / 2 - (dy / length) * bend, cy = (from.y + to.y) / 2 + (dx / length) * bend;
    return { d: `M${from.x} ${from.y}Q${cx} ${cy} ${to.x} ${to.y}`, x: (from.x + 2 * cx + to.x) / 4, y: (from.y + 2 * cy + to.y) / 4 };
}

export function Elfenland({ places, states }) {
    const all = [...places.values()], roads = roadsOf(places);
    const towns = all.filter((p) => p.name.startsWith('town_'));
    const side = all.filter((p) => /^(deck|discard|pile|market_\d|round)$/.test(p.name));
    return html`
        <rect class="felt" x="0" y="0" width="1000" height="1000" rx="36" fill="url(#felt)" />
        <rect class="parchment" x="24" y="128" width="856" height="744" rx="26" />
        ${water(places, roads).map((way) => html`<path class=${`road ${way.terrain}`} d=${bow(way).d} />`)}
        ${['plains', 'forest', 'desert', 'mountain', 'river', 'lake'].map((terrain, i) => html`<g class="legend"><path class=${`road ${terrain}`} d=${`M${46 + i * 140} 838h34`} /><text x=${88 + i * 140} y="839" font-size="16" dominant-baseline="central">${t(`terrain.${terrain}`)}</text></g>`)}
        ${roads.map((road) => html`<path key=${road.place.name} class=${`road ${road.terrain}`} d=${bow(road).d} />`)}
        ${towns.map((p) => html`<${Town} key=${p.name} place=${p} />`)}
        ${roads.filter((road) => road.place.items.length).map((road) => html`<${Load} key=${road.place.name} items=${road.place.items} at=${bow(road)} />`)}
        ${side.map((p) => html`<${Side} key=${p.name} place=${p} />`)}
        ${[...new Set(all.filter((p) => /^seat_\w+\./.test(p.name)).map((p) => p.seat))].map((seat) => html`<${Edge} key=${seat} seat=${seat} state=${states[seat] || {}} places=${all.filter((p) => p.seat === seat)} />`)}`;
}

function Town({ place }) {
    const { x, y } = place;
    const boots = place.items.filter((item) => item.kind.startsWith('boot_')), pieces = place.items.filter((item) => item.kind.startsWith('piece_'));
    return html`<g class="town"><circle cx=${x} cy=${y} r="15" /><path d=${`M${x - 9} ${y + 4}v-7l4.500-4 4.500 4v7zM${x} ${y + 4}v-11l4.500-4 4.500 4v11z`} />
        <${Words} x=${x} y=${y + 27} text=${town(place.name.slice(5))} most=${14} size=${16} fill="#3a2c14" />
        ${pieces.map((item, i) => html`<g class="town-piece"><title>${kindName(item.kind)}</title><rect x=${x - 24 + i * 10} y=${y - 27} width="9" height="9" rx="2" fill=${shade(item.kind.slice(6))} /></g>`)}
        ${boots.map((item, i) => html`<g class="boot"><title>${kindName(item.kind)}</title>
            <path d=${`M${x + 14 + i * 24} ${y - 26}h12v18l10 5v9h-22z`} fill=${shade(item.kind.slice(5))} />
            <text x=${x + 22 + i * 24} y=${y + 1} font-size="12" text-anchor="middle" fill=${item.kind === 'boot_yellow' ? '#1b1f22' : '#fff'}>${colour(item.kind.slice(5))[0]}</text></g>`)}
    </g>`;
}

const SHORT = { giant_pig: 'P', elfcycle: 'E', magic_cloud: 'C', unicorn: 'U', troll_wagon: 'T', dragon: 'D' };
function Load({ items, at }) {
    return items.map((item, i) => html`<g class="load"><title>${kindName(item.kind)}</title>
        <rect x=${at.x - 17 + i * 20} y=${at.y - 17 + i * 8} width="34" height="34" rx="9" class=${item.kind === 'obstacle' ? 'obstacle' : ''} />
        <text x=${at.x + i * 20} y=${at.y + 1 + i * 8} font-size="20" text-anchor="middle" dominant-baseline="central">${item.kind === 'obstacle' ? '✕' : SHORT[item.kind.slice(3)] || '•'}</text></g>`);
}

function Side({ place }) {
    const { x, y, items } = place, item = items[0];
    const total = items.reduce((sum, one) => sum + one.n, 0);
    return html`<g class="pad plain"><rect x=${x - 38} y=${y - 36} width="76" height="72" rx="12" />
        ${item && (place.name === 'round' ? html`<${Words} x=${x} y=${y} text=${kindName(item.kind)} size=${17} most=${7} fill="var(--felt-ink)" />` : place.name.startsWith('market') && item.kind
            ? html`<g class="load"><rect x=${x - 26} y=${y - 26} width="52" height="52" rx="12" /><text x=${x} y=${y - 6} font-size="24" text-anchor="middle" dominant-baseline="central">${SHORT[item.kind.slice(3)] || '•'}</text>
                <${Words} x=${x} y=${y + 15} text=${t(`short.${item.kind.slice(3)}`)} size=${11} most=${9} fill="#2b2310" /></g>`
            : html`<${Tile} x=${x} y=${y} w=${46} h=${58} item=${{ ...item, kind: '', face: 'down' }} />`)}
        ${total > 1 && html`<${Count} x=${x + 30} y=${y - 28} n=${total} />`}
        ${!item && html`<${Words} x=${x} y=${y} text=${t(`spot.${place.name.replace(/_\d/, '')}`)} size=${13} fill="var(--felt-line)" />`}</g>`;
}

function Edge({ seat, state, places }) {
    const first = places.reduce((a, b) => (a.x < b.x ? a : b));
    const word = /^seat_(\w+)\./.exec(first.name)[1], up = first.y < 500;
    const shown = places.filter((p) => p.items.length);
    return html`<g class=${`edge ${state.turn ? 'turn' : ''}`}><rect x=${first.x - 26} y=${up ? 14 : 886} width="300" height="100" rx="18" />
        <rect class="edge-flag" x=${first.x - 14} y=${up ? 28 : 900} width="12" height="72" rx="5" fill=${shade(word)} />
        <text x=${first.x + 8} y=${up ? 40 : 912} font-size="20" dominant-baseline="central">${colour(word)}${state.turn ? ' ▸' : ''}${state.won ? ' ★' : ''}</text>
        ${shown.map((p, i) => html`<g>${p.items.slice(0, 3).map((item, j) => item.kind.startsWith('tc_') || item.kind === 'obstacle'
            ? html`<${Disc} x=${first.x + 24 + (i + j) * 44} y=${up ? 80 : 952} r=${18} text=${item.kind === 'obstacle' ? '✕' : SHORT[item.kind.slice(3)]} title=${kindName(item.kind)} />`
            : html`<${Tile} x=${first.x + 24 + (i + j) * 44} y=${up ? 80 : 952} w=${32} h=${42} item=${{ ...item, kind: '', face: 'down' }} />`)}</g>`)}
    </g>`;
}
Elfenland.at = (name, places) => {
    const p = places.get(name);
    if (!p) return null;
    const road = TERRAIN.test(name) && !name.startsWith('town_') ? roadsOf(places).find((r) => r.place.name === name) : null;
    const at = road ? bow(road) : p;
    return { x: at.x, y: at.y, w: 44, h: 44 };
};

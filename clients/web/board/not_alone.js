// Not Alone: ten places of the planet, the two tracks above, one mat for each of the Hunted below.
import { html } from '../vendor/htm-preact.js';
import { t } from '../i18n.js';
import { kindName, placeCard } from '../words.js';
import { Count, Disc, Tile, Words } from './pieces.js';

const TOKENS = { token_creature: ['red', 'C'], token_target: ['purple', 'T'], token_artemia: ['green', 'A'], marker: ['yellow', '▲'] };

export function NotAlone({ places, states }) {
    const all = [...places.values()];
    const match = (pattern) => all.filter((p) => pattern.test(p.name));
    const seats = [...new Set(match(/^seat\.h\d\./).map((p) => p.seat))];
    return html`
        <rect class="felt" x="0" y="-20" width="1000" height="894" rx="36" fill="url(#felt)" />
        <${Track} places=${match(/^track\.rescue\./)} name=${t('counter.rescue')} tone="rescue" />
        <${Track} places=${match(/^track\.assimilation\./)} name=${t('counter.assimilation')} tone="assimilation" />
        ${match(/^planet\.p\d+$/).map((p) => html`<${Planet} key=${p.name} place=${p} reserve=${places.get(p.name.replace('planet', 'reserve'))} />`)}
        ${match(/^(hunt|survival)\.|^bank\.|^seat\.c\./).map((p) => html`<${Pile} key=${p.name} place=${p} />`)}
        ${seats.map((seat) => html`<${Mat} key=${seat} shift=${shiftOf(places)} places=${match(/^seat\.h\d\./).filter((p) => p.seat === seat)} state=${states[seat] || {}} />`)}`;
}

function Track({ places, name, tone }) {
    const list = places.filter((p) => p.name);
    if (!list.length) return null;
    const y = list[0].y, first = list[0].x, last = list[list.length - 1].x;
    return html`<g class=${`track ${tone}`}><path d=${`M${first} ${y}H${last}`} />
        ${list.map((p) => html`<g><circle cx=${p.x} cy=${y} r=${p.name.endsWith('.0') ? 19 : 12} />${p.name.endsWith('.0') && html`<text x=${p.x} y=${y + 1} font-size="20" text-anchor="middle" dominant-baseline="central">★</text>`}
            ${p.items.length > 0 && html`<g class="track-at"><circle cx=${p.x} cy=${y} r="21" /><text x=${p.x} y=${y + 1} font-size="20" text-anchor="middle" dominant-baseline="central">${p.name.split('.')[2]}</text></g>`}</g>`)}
        <text class="track-name" x=${last + 30} y=${y} font-size="17" dominant-baseline="central">${name}</text></g>`;
}

function Planet({ place, reserve }) {
    const { x, y } = place, n = place.name.slice(8);
    return html`<g class="planet"><rect x=${x - 66} y=${y - 58} width="132" height="116" rx="16" />
        <circle class="planet-no" cx=${x - 42} cy=${y - 34} r="17" /><text x=${x - 42} y=${y - 33} font-size="20" text-anchor="middle" dominant-baseline="central">${n}</text>
        <${Words} x=${x + 20} y=${y - 34} text=${placeCard(n)} size=${17} most=${9} room=${84} fill="#20303a" />
        ${reserve?.items[0] && html`<g class="reserve"><rect x=${x + 30} y=${y + 22} width="28" height="32" rx="5" /><text x=${x + 44} y=${y + 39} font-size="16" text-anchor="middle" dominant-baseline="central">${reserve.items[0].n}</text></g>`}
        ${place.items.map((item, i) => {
            const [tone, text] = TOKENS[item.kind] || ['', kindName(item.kind)[0]];
            return html`<${Disc} x=${x - 36 + i * 42} y=${y + 28} r=${20} tone=${tone} text=${text} title=${kindName(item.kind)} n=${item.n} />`;
        })}</g>`;
}

function Pile({ place }) {
    const { x, y, items } = place, total = items.reduce((sum, i) => sum + i.n, 0);
    if (!items.length) return html`<g class="pad plain"><rect x=${x - 27} y=${y - 32} width="54" height="64" rx="10" /></g>`;
    if (/tokens$|will$/.test(place.name)) {
        return items.map((item, i) => {
            const [tone, text] = TOKENS[item.kind] || ['white', 'W'];
            return html`<${Disc} x=${x - 22 + i * 26} y=${y} r=${16} tone=${tone} text=${text} title=${kindName(item.kind)} n=${item.n} />`;
        });
    }
    const top = items[items.length - 1];
    return html`<g><${Tile} x=${x} y=${y} w=${50} h=${62} item=${{ ...top, n: 1 }} small=${true} />${total > 1 && html`<${Count} x=${x + 24} y=${y - 28} n=${total} />`}</g>`;
}

const LIFT = 86; // the mats close the gap below the planet
// Fewer than six mats stand in the middle.
const shiftOf = (places) => Math.max(0, 6 - new Set([...places.keys()].filter((n) => /^seat\.h/.test(n)).map((n) => n.slice(0, 7))).size) * 75;

function Mat({ places, state, shift }) {
    const left = Math.min(...places.map((p) => p.x)) + shift, label = state.label || '';
    const spot = (name) => places.find((p) => p.name.endsWith(`.${name}`)) || { items: [] };
    const will = spot('will').items[0]?.n || 0, discard = spot('discard').items.reduce((sum, i) => sum + i.n, 0);
    const laid = [spot('play_a'), spot('play_b')].flatMap((p) => p.items);
    return html`<g class=${`mat ${state.turn ? 'turn' : ''}`} transform=${`translate(0 ${-LIFT})`}><rect x=${left - 24} y="580" width="144" height="350" rx="18" />
        <text class="mat-name" x=${left + 48} y="610" font-size="22" text-anchor="middle" dominant-baseline="central">${label.toUpperCase()}${state.turn ? ' ▸' : ''}${state.acted ? ' ✓' : ''}${state.won ? ' ★' : ''}</text>
        ${[0, 1].map((i) => html`<g class="pad plain"><rect x=${left - 12 + i * 62} y="632" width="58" height="78" rx="10" /></g>`)}
        ${laid.slice(0, 2).map((item, i) => html`<${Tile} x=${left + 17 + i * 62} y=${671} w=${52} h=${70} item=${item} small=${true} />`)}
        ${[0, 1, 2].map((i) => html`<g class="will"><path transform=${`translate(${left + 2 + i * 38} 742)`} d="M10 22C-6 10 2-4 10 5 18-4 26 10 10 22z" class=${i < will ? 'has' : ''} /></g>`)}
        <text class="mat-small" x=${left + 48} y="790" font-size="15" text-anchor="middle" dominant-baseline="central">${t('alone.willN', { n: will })}</text>
        ${discard > 0 && html`<${Tile} x=${left + 18} y=${850} w=${48} h=${62} item=${{ kind: '', n: discard, face: 'down' }} />`}
        ${spot('survival').items[0] && html`<${Tile} x=${left + 78} y=${850} w=${48} h=${62} item=${spot('survival').items[0]} small=${true} />`}
        <text class="mat-small" x=${left + 18} y="900" font-size="14" text-anchor="middle">${discard > 0 ? t('spot.discard') : ''}</text></g>`;
}

NotAlone.frame = () => ({ box: [0, -20, 1000, 894] });
NotAlone.at = (name, places) => {
    const p = places.get(name);
    if (!p) return null;
    const mat = /^seat\.h\d\.(play_[ab]|discard|survival)/.exec(name);
    if (mat) {
        const left = Math.min(...[...places.values()].filter((o) => o.seat === p.seat && /^seat\.h/.test(o.name)).map((o) => o.x)) + shiftOf(places);
        const at = { play_a: [left + 17, 671], play_b: [left + 79, 671], discard: [left + 18, 850], survival: [left + 78, 850] }[mat[1]];
        return { x: at[0], y: at[1] - LIFT, w: 56, h: 76 };
    }
    return { x: p.x, y: p.y, w: /^planet/.test(name) ? 120 : 52, h: /^planet/.test(name) ? 106 : 62 };
};

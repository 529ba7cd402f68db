// Any game: every place where its coordinates say, with what lies there.
import { html } from '../vendor/htm-preact.js';
import { placeName } from '../words.js';
import { Pad, Tile, Words } from './pieces.js';

export function Plain({ places }) {
    const list = [...places.values()].filter((p) => p.items.length || places.size <= 60);
    return html`<rect class="felt" x="0" y="0" width="1000" height="1000" rx="36" fill="url(#felt)" />
        ${list.map((p) => html`<g key=${p.name}><${Pad} x=${p.x} y=${p.y} w=${84} h=${104} place=${p} /><${Tile} x=${p.x} y=${p.y} w=${72} h=${92} item=${p.items[0]} small=${true} />
            <${Words} x=${p.x} y=${p.y + 64} text=${placeName(p.name)} size=${13} fill="var(--felt-ink)" most=${16} /></g>`)}`;
}

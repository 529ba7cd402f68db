// The tiles a set-up needs, against what has been enrolled; people tick off what they have picked out.
import { html, useState } from '../vendor/htm-preact.js';
import { get } from '../api.js';
import { t } from '../i18n.js';
import { useStore } from '../store.js';
import { kindName } from '../words.js';
import { readCsv } from './csv.js';
import { Icon } from './icons.js';
import { Card, Check, Note, Select, useAsk } from './ui.js';

function needOf(setup, cards) {
    const need = {};
    const list = cards?.length ? cards : Object.entries(setup.roles).flatMap(([kind, n]) => Array(n).fill(kind));
    for (const kind of list) need[kind] = (need[kind] || 0) + 1;
    if (setup.game === 'one_night' && setup.options.ballot !== 'own_pad') for (let i = 1; i <= setup.seats; i++) need[`token_${i}`] = 1;
    return need;
}

// Tiles that go onto pads of their own: the cards of the set-up. Number tokens stay with their people.
const tilesOf = (setup, cards) => (cards?.length || Object.values(setup.roles).reduce((a, b) => a + b, 0));

// How many pads are occupied is all that anybody is told before a game: no kind, no piece. While one runs its own board tells;
// the board of another game that is over has other places.
function Laid({ of, game }) {
    const { view } = useStore();
    if (!of || !view.board || view.game?.status === 'running' || (view.game?.game && view.game.game !== game)) return null;
    const n = view.board.places.filter((place) => place.sensed && place.level === 'occupied').length, all = n >= of;
    return html`<div class="laid" role="status"><p><${Icon} name=${all ? 'check' : 'target'} size=${18} /> <strong>${all ? t('check.allLaid', { of }) : t('check.laid', { n, of })}</strong></p>
        <progress max=${of} value=${Math.min(n, of)} aria-label=${t('check.laid', { n, of })}></progress><p class="hint">${t('check.laidHint')}</p></div>`;
}

export function Checklist({ game, setup, cards }) {
    const pieces = useAsk(() => get('pieces', { quiet: true }), []);
    const [deck, setDeck] = useState(''), [ticked, setTicked] = useState({});
    const need = needOf(setup, cards), kinds = Object.keys(need);
    if (!kinds.length) return null;
    const rows = pieces.data ? readCsv(pieces.data.text) : [];
    const decks = [...new Set(rows.map((r) => r.deck))];
    const share = (d) => kinds.filter((kind) => rows.some((r) => r.deck === d && r.kind === kind)).length;
    const now = deck || decks.filter(share).sort((a, b) => share(b) - share(a))[0] || '';
    const have = (kind) => new Set(rows.filter((r) => r.deck === now && r.kind === kind).map((r) => r.name)).size;
    const missing = now ? kinds.filter((kind) => have(kind) < need[kind]) : [];
    return html`<${Card} title=${t('check.title')} icon="check">
        <p class="muted">${t('check.lead', { n: Object.values(need).reduce((a, b) => a + b, 0) })}</p>
        ${decks.length > 1 && html`<${Select} label=${t('check.deck')} value=${now} options=${decks.map((d) => [d, d])} onChange=${setDeck} />`}
        <${Laid} of=${tilesOf(setup, cards)} game=${setup.game} />
        <ul class="checklist">${kinds.map((kind) => html`<li key=${kind}><${Check} checked=${!!ticked[kind]} label=${`${need[kind]} × ${kindName(kind)}`} onChange=${(on) => setTicked({ ...ticked, [kind]: on })} />
            ${now && (have(kind) >= need[kind] ? html`<span class="tick good"><${Icon} name="check" size=${16} />${t('check.known')}</span>` : html`<span class="tick bad"><${Icon} name="warn" size=${16} />${t('check.unknown', { n: need[kind] - have(kind) })}</span>`)}</li>`)}</ul>
        ${missing.length > 0 && html`<${Note} tone="warn"><p>${t('check.missing')} <a href="#/enrol">${t('nav.enrol')}</a></p><//>`}
    <//>`;
}

// Names for people: seats, places, pieces, phases, events. Ids of the daemon in, words of the chosen language out.
import { has, t } from './i18n.js';
import { named, said, told } from './said.js';

const human = (id) => {
    const text = id.replace(/_/g, ' ').trim();
    return text.charAt(0).toUpperCase() + text.slice(1);
};

const KINDS = [
    [/^token_(\d+)$/, (m) => t('kind.token', { n: m[1] })],
    [/^ballot_(\d+)_(\d+)$/, (m) => t('kind.ballot', { n: m[1], to: m[2] })],
    [/^place_(\d+)(_\d+)?$/, (m) => placeCard(m[1])],
    [/^(observation|action)_(\d+)$/, (m) => t(`kind.${m[1]}`, { n: m[2] })],
    [/^card_(\w+)$/, (m) => t('kind.card', { what: kindName(m[1]) })],
    [/^tc_(\w+)$/, (m) => t('kind.counter', { what: kindName(m[1]) })],
    [/^town_card_(\w+)$/, (m) => t('kind.townCard', { what: town(m[1]) })],
    [/^boot_(\w+)$/, (m) => t('kind.boot', { what: colour(m[1]) })],
    [/^piece_(\w+)$/, (m) => t('kind.piece', { what: colour(m[1]) })],
    [/^round_card_(\d)$/, (m) => t('kind.roundCard', { n: m[1] })],
    [/^sheep_(\w)$/, (m) => t('kind.sheep', { what: colour(m[1]) })],
    [/^marker_(\w)$/, (m) => t('kind.markerOf', { what: colour(m[1]) })],
    [/^number_(\w+)$/, (m) => t('kind.number', { what: m[1].toUpperCase() })],
];

export function kindName(kind) {
    if (!kind) return t('kind.hidden');
    if (has(`kind.${kind}`)) return t(`kind.${kind}`);
    for (const [pattern, name] of KINDS) {
        const match = pattern.exec(kind);
        if (match) return name(match);
    }
    return human(kind);
}

const LETTERS = { r: 'red', b: 'blue', w: 'white', k: 'black' };
export const colour = (word) => t(`colour.${LETTERS[word.toLowerCase()] || word}`);
export const town = (id) => id.split('_').map(human).join('’');
export const placeCard = (n) => t(`alone.p${n}`);

// "s3" -> "Seat 3", with the game's own label where there is one.
export function seatName(seat, seats) {
    if (!seat) return '';
    if (!/^s\d+$/.test(seat)) return has(`by.${seat}`) ? t(`by.${seat}`) : seat;
    const label = seats?.seats?.find((row) => row.seat === seat)?.label;
    const name = t('seat.n', { n: seat.slice(1) });
    if (!label) return name;
    if (label === 'c') return `${name} · ${t('alone.creature')}`;
    if (/^h\d$/.test(label)) return `${name} · ${t('alone.hunted', { n: label.slice(1) })}`;
    return `${name} · ${has(`colour.${LETTERS[label.toLowerCase()] || label}`) ? colour(label) : label}`;
}

const PLACES = [
    [/^s(\d+)$/, (m) => t('place.seat', { n: m[1] })],
    [/^c(\d)$/, (m) => t('place.centre', { n: m[1] })],
    [/^v(\d+)$/, (m) => t('place.votes', { n: m[1] })],
    [/^m(ark_?)?(\d+)$/, (m) => t('place.mark', { n: m[2] })],
    [/^planet\.p(\d+)$/, (m) => placeCard(m[1])],
    [/^reserve\.p(\d+)$/, (m) => t('place.reserveOf', { what: placeCard(m[1]) })],
    [/^track\.(\w+)\.(\d+)$/, (m) => t('place.track', { what: has(`counter.${m[1]}`) ? t(`counter.${m[1]}`) : human(m[1]), n: m[2] })],
    [/^hex\.(-?\d+),(-?\d+)$/, (m) => t('place.field', { what: `${m[1]}, ${m[2]}` })],
    [/^town_(\w+)$/, (m) => town(m[1])],
    [/^market_(\d)$/, (m) => t('place.market', { n: m[1] })],
    [/^seat[._](\w+)\.(\w+)$/, (m) => t('place.of', { what: spot(m[2]), who: owner(m[1]) })],
    [/^box\.(\w)\.(\w+)$/, (m) => t('place.of', { what: spot(m[2]), who: colour(m[1]) })],
    [/^(hunt|survival)\.(deck|discard)$/, (m) => t(`place.${m[1]}.${m[2]}`)],
    [/^centre\.(\w+)$/, (m) => spot(m[1])],
];
const spot = (word) => (has(`spot.${word}`) ? t(`spot.${word}`) : human(word));
function owner(word) {
    if (/^\d+$/.test(word)) return t('seat.n', { n: word });
    if (word === 'c') return t('alone.creature');
    if (/^h\d$/.test(word)) return t('alone.hunted', { n: word.slice(1) });
    return has(`colour.${LETTERS[word] || word}`) ? colour(word) : human(word);
}

export function placeName(name) {
    if (!name) return '';
    if (name === 'hand' || name === 'in_hand') return t('place.hand');
    if (has(`spot.${name}`)) return t(`spot.${name}`);
    for (const [pattern, words] of PLACES) {
        const match = pattern.exec(name);
        if (match) return words(match);
    }
    const road = /^(\w+)_(plains|forest|desert|mountain|river|lake)$/.exec(name);
    return road ? t('place.road', { what: `${human(road[1])}, ${t(`terrain.${road[2]}`)}` }) : human(name.replace(/\./g, ' '));
}

// A word of an action: a kind, a mark or token by its short name, a word of the game's own, a place.
function oneValue(word) {
    if (/^-?\d+$/.test(word)) return word;
    const key = ['kind.', 'kind.mark_', 'kind.token_', 'value.'].map((stem) => stem + word).find(has);
    return key ? (key.startsWith('kind.') ? kindName(key.slice(5)) : t(key)) : placeName(word);
}
const value = (text) => String(text).split('+').map(oneValue).join(' + ');

// An action in words: what, and with what. `only`: these arguments alone, without the verb.
export function actionText(action, only) {
    const args = Object.entries(action.args || {}).filter(([name]) => !only || only.includes(name));
    const words = args.map(([name, text]) => (name === 'n' ? `× ${text}` : value(text))).join(' → ');
    return only ? words : words ? `${verbName(action.do)}: ${words}` : verbName(action.do);
}

// Arguments in which actions of one verb differ; null if there are several verbs or nothing to tell them apart.
export function differing(actions) {
    if (new Set(actions.map((a) => a.do)).size !== 1) return null;
    const names = Object.keys(actions[0].args || {}).filter((name) => new Set(actions.map((a) => a.args[name])).size > 1);
    return names.length ? names : null;
}

export const phaseName = (id) => (!id ? t('phase.none') : has(`phase.${id}`) ? t(`phase.${id}`) : human(id));
export const veilName = (veil) => t(`veil.${['open', 'sealed', 'dark'].includes(veil) ? veil : 'none'}`);
export const veilIcon = { open: 'sun', sealed: 'half', dark: 'moon' };
export const gameTitle = (id, games) => games?.find((g) => g.id === id)?.title || human(id || '');
export const counterName = (name) => (has(`counter.${name}`) ? t(`counter.${name}`) : human(name));
export const roleName = kindName;
export const teamName = (id) => (has(`team.${id}`) ? t(`team.${id}`) : human(id));
export function presetName(id) {
    const box = /^(daybreak|vampire|alien|epic|house_cn)_(\d+)(\w?)$/.exec(id);
    if (box) return t('preset.box', { what: t(`box.${box[1]}`), n: `${box[2]}${box[3]}` });
    return has(`preset.${id}`) ? t(`preset.${id}`) : human(id);
}
// A preset in a list: its name and what it is, but nothing twice ("Two players", not "Two · two players").
export function presetText(preset) {
    const name = presetName(preset.name), what = said(preset.help) || '', small = what.toLowerCase();
    if (name.toLowerCase().includes(small)) return name;
    return small.startsWith(name.toLowerCase()) ? human(what) : `${name} · ${what}`;
}
export const optionName = (id) => named('option', id) ?? human(id);
export const choiceName = (word) => named('word', word) ?? (has(`kind.${word}`) ? kindName(word) : human(word));
const verbName = (verb) => named('verb', verb) ?? human(verb);
const either = (part) => (id) => (has(`${part}.${id}`) ? t(`${part}.${id}`) : human(id));
export const flagName = either('flag');
export const factName = either('fact');
export const reasonName = either('reason');
export const healthName = either('health');

export function repairText(repair) {
    const what = repair.what && repair.what !== 'tile' && repair.what !== 'piece' ? kindName(repair.what) : t('repair.tile');
    const put = !repair.put || repair.put === 'hand' ? t('repair.toHand', { what, from: placeName(repair.take) }) : null;
    if (put) return put;
    if (!repair.take || repair.take === 'hand') return t('repair.fromHand', { what, to: placeName(repair.put) });
    if (repair.take === repair.put) return t('repair.turn', { what, at: placeName(repair.put) });
    return t('repair.move', { what, from: placeName(repair.take), to: placeName(repair.put) });
}

// A row of the story: an action as the daemon writes it, a line of the game, or somebody who did not do what had to be done.
export function storyText(row, game, seats) {
    const who = seatName(row.by, seats), missed = /^seat (\d+) did not do what it must$/.exec(row.text);
    if (missed) return t('story.missed', { who: seatName(`s${missed[1]}`, seats) });
    const line = /^(s\d+|table|chance|timer) (\w+)((?: \w+=\S*)*)$/.exec(row.text);
    if (!line) return told(row.text, game);
    const args = Object.fromEntries(line[3].trim().split(' ').filter(Boolean).map((arg) => arg.split(/=(.*)/)));
    return `${who}: ${actionText({ do: line[2], args })}`;
}

const EVENT_LOOK = {
    game_started: ['play', 'good'], phase_started: ['next', ''], step_started: ['next', ''], action: ['finger', ''], seat_acted: ['check', ''],
    revealed: ['eye', ''], prompt: ['target', 'warn'], reminder: ['clock', 'warn'], violation_raised: ['warn', 'bad'],
    violation_cleared: ['check', 'good'], choice_opened: ['scale', 'warn'], choice_closed: ['check', ''], paused: ['pause', 'warn'],
    resumed: ['play', 'good'], undone: ['undo', ''], overridden: ['scale', ''], reader_lost: ['chip', 'bad'], reader_back: ['chip', 'good'],
    result: ['check', 'good'], game_ended: ['stop', ''], reset: ['repeat', ''],
};
export const eventLook = (event) => EVENT_LOOK[event] || ['info', ''];

export function eventText(e, seats) {
    const who = e.seat || e.action?.[0]?.by;
    const parts = [t(`event.${e.event}`)];
    if (who) parts[0] = e.action?.length ? seatName(who, seats) : `${seatName(who, seats)}: ${parts[0]}`;
    for (const action of e.action || []) parts.push(actionText(action));
    for (const violation of e.violation || []) parts.push(said(violation.text), violation.places.map(placeName).join(', '));
    if (e.event === 'prompt') for (const repair of e.repairs || []) parts.push(repairText(repair));
    if (e.reader) parts.push(e.reader);
    if (e.reason) parts.push(reasonName(e.reason));
    if (e.text && !parts.includes(said(e.text))) parts.push(said(e.text));
    return parts.filter(Boolean).join(' · ');
}

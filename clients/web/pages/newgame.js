// A set-up: game, people, roles or options. Every change asks the daemon what a start would say.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { t } from '../i18n.js';
import { post } from '../api.js';
import { attempt, control, mayRun, useStore } from '../store.js';
import { go } from '../router.js';
import { said } from '../said.js';
import { choiceName, kindName, optionName, presetName, presetText } from '../words.js';
import { Emblem } from '../components/emblem.js';
import { Checklist } from '../components/checklist.js';
import { Badge, Button, Card, Check, Empty, Field, Note, Page, Select, Stepper, Text } from '../components/ui.js';

const NO_CARD = /^(token_|ballot_|mark_|.*_of_|alien_artifact$|shield$|observation_|action_|control)/;
const WITH_CARDS = { one_night: () => true, alien_hunt: (kind, i, kinds) => i < kinds.indexOf('gossip') + 1 };
const cardsOf = (game) => game.kinds.filter((kind, i) => WITH_CARDS[game.id] && !NO_CARD.test(kind) && WITH_CARDS[game.id](kind, i, game.kinds));

function fromPreset(game, preset) {
    const options = Object.fromEntries((preset?.options || []).map((text) => text.split('=')));
    const roles = {};
    for (const card of preset?.cards || []) roles[card] = (roles[card] || 0) + 1;
    return { game: game.id, preset: preset?.name || '', seats: preset?.seats || game.seats_min, roles, options, bots: [] };
}

// What the table's control piece starts (its `game`, `preset`, `seats`, `roles`, `options`, `bots` of tabled.conf).
const OWN = '@table';
const words = (text) => text.split(/[\s,]+/).filter(Boolean);

function fromTable(game, own) {
    const setup = fromPreset(game, game.presets.find((p) => p.name === own.preset));
    if (own.roles) setup.roles = {};
    for (const card of words(own.roles)) setup.roles[card] = (setup.roles[card] || 0) + 1;
    for (const word of words(own.options)) {
        const [name, value = 'yes'] = word.split('=');
        setup.options[name] = value;
    }
    return { ...setup, preset: OWN, seats: own.seats || setup.seats, bots: words(own.bots) };
}

function bodyOf(setup) {
    const body = { game: setup.game, seats: setup.seats };
    if (Object.keys(setup.roles).length) body.roles = setup.roles;
    if (Object.keys(setup.options).length) body.options = setup.options;
    const bots = setup.bots.filter((s) => Number(s.slice(1)) <= setup.seats);
    if (bots.length) body.bots = bots.join(' ');
    return body;
}

const kept = () => JSON.parse(localStorage.getItem('tabled.setups') || '[]');

function useCheck(setup) {
    const { table } = useStore();
    const [answer, set] = useState(null);
    useEffect(() => {
        if (!setup) return undefined;
        const abort = new AbortController();
        const timer = setTimeout(() => post(`tables/${table}/check`, bodyOf(setup), { signal: abort.signal, quiet: true }).then(set, (problem) => {
            if (problem.name !== 'AbortError') set({ ok: problem.status === 404 || problem.status === 405 ? undefined : false, issues: problem.issues?.length ? problem.issues : [{ error: problem.status < 500 && problem.status !== 404, code: problem.rule || problem.code, text: problem.message }] });
        }), 220);
        return () => { clearTimeout(timer); abort.abort(); };
    }, [JSON.stringify(setup), table]);
    return answer;
}

export function NewGamePage() {
    const { games, view, table, tables } = useStore();
    const [setup, set] = useState(null);
    const own = tables.find((row) => row.table === table)?.preset;
    const begin = (g) => (own?.game === g.id ? fromTable(g, own) : fromPreset(g, g.presets[0]));
    const take = (name) => (name === OWN ? fromTable(game, own) : fromPreset(game, game.presets.find((p) => p.name === name)));
    const check = useCheck(setup);
    useEffect(() => set((was) => (was?.preset === OWN ? { ...was, preset: '' } : was)), [table]); // another table's now
    const running = view.game?.status === 'running';
    if (!mayRun()) return html`<${Page} title=${t('nav.new')}><${Note} tone="info">${t('ui.notAllowed')}<//><//>`;
    if (!games) return html`<${Page} title=${t('nav.new')}><p class="waiting">${t('ui.loading')}</p><//>`;
    const game = games.find((g) => g.id === setup?.game);
    const start = () => attempt(async () => {
        await post(`tables/${table}/game`, bodyOf(setup));
        const keep = { ...setup, preset: setup.preset === OWN ? '' : setup.preset };
        localStorage.setItem('tabled.setups', JSON.stringify([keep, ...kept().filter((s) => JSON.stringify(s) !== JSON.stringify(keep))].slice(0, 6)));
        go('/table');
    }, t('new.started'));
    return html`<${Page} title=${t('nav.new')} lead=${t('new.lead')} actions=${view.game?.status === 'ended' && html`<${Button} icon="repeat" onClick=${() => attempt(async () => { await control('again'); go('/table'); }, t('control.againDone'))}>${t('control.again')}<//>`}>
        ${running && html`<${Note} tone="warn" title=${t('new.running')}>${t('new.runningHint')}<//>`}
        <${Card} title=${t('new.game')} icon="dice">
            <div class="game-picks" role="radiogroup" aria-label=${t('new.game')}>${games.map((g) => html`<label key=${g.id} class=${`game-pick ${setup?.game === g.id ? 'on' : ''}`}>
                <input type="radio" name="game" checked=${setup?.game === g.id} onChange=${() => set(begin(g))} />
                <${Emblem} game=${g.id} /><span class="game-title">${g.title}</span><span class="muted">${t('new.people', { from: g.seats_min, to: g.seats_max })}</span></label>`)}</div>
            ${!setup && kept().length > 0 && html`<div><h3>${t('new.before')}</h3><div class="row">${kept().filter((s) => games.some((g) => g.id === s.game)).map((s) => html`<${Button} kind="small" icon="repeat" onClick=${() => set(s)}>${games.find((g) => g.id === s.game).title}, ${s.seats}${s.preset ? `, ${presetName(s.preset)}` : ''}<//>`)}</div></div>`}
        <//>
        ${game ? html`<div class="new-grid"><div class="stack">
            <${Card} title=${t('new.setup')} icon="users">
                <div class="grid-2"><${Select} label=${t('new.preset')} value=${setup.preset} onChange=${(name) => set(take(name))}
                    options=${[...(setup.preset ? [] : [['', t('new.own')]]), ...(own?.game === game.id ? [[OWN, t('new.ofTable')]] : []), ...game.presets.map((p) => [p.name, presetText(p)])]} />
                <div class="boxed"><${Stepper} label=${t('new.seats')} value=${setup.seats} min=${game.seats_min} max=${game.seats_max} onChange=${(seats) => set({ ...setup, preset: '', seats })} /></div></div>
                <fieldset><legend class="legend">${t('new.bots')}</legend><div class="row">${Array.from({ length: setup.seats }, (_, i) => `s${i + 1}`).map((s) => html`<${Check} key=${s} label=${t('seat.n', { n: s.slice(1) })} checked=${setup.bots.includes(s)}
                    onChange=${(on) => set({ ...setup, bots: on ? [...setup.bots, s] : setup.bots.filter((b) => b !== s) })} />`)}</div></fieldset>
            <//>
            ${cardsOf(game).length > 0 && html`<${Roles} game=${game} setup=${setup} set=${set} />`}
            <${Options} game=${game} setup=${setup} set=${set} />
        </div><div class="stack sticky">
            <${Verdict} check=${check} />
            <${Button} icon="play" kind="main-action large" disabled=${check?.ok === false || running} onClick=${start}>${t('new.start')}<//>
            <${Checklist} game=${game} setup=${setup} cards=${check?.cards} />
        </div></div>` : html`<${Empty} icon="dice" title=${t('new.choose')} />`}
    <//>`;
}

function Verdict({ check }) {
    if (!check) return html`<${Card} title=${t('new.verdict')} icon="scale"><p class="muted">${t('new.checking')}</p><//>`;
    const issues = check.issues || [];
    return html`<${Card} title=${t('new.verdict')} icon="scale" tone=${check.ok === false ? 'bad' : ''}>
        <div aria-live="polite" class="stack">
            <${Badge} tone=${check.ok === false ? 'bad' : check.ok ? 'good' : 'quiet'}>${check.ok === false ? t('new.notLegal') : check.ok ? t('new.legal') : t('new.unchecked')}<//>
            ${issues.map((issue) => html`<${Note} key=${issue.code} tone=${issue.error ? 'bad' : 'warn'} title=${said(issue.text)}><code>${issue.code}</code><//>`)}
        </div><//>`;
}

function Roles({ game, setup, set }) {
    const [find, setFind] = useState(''), [all, setAll] = useState(false);
    const cards = cardsOf(game), total = Object.values(setup.roles).reduce((a, b) => a + b, 0);
    const wanted = game.id === 'one_night' ? setup.seats + 3 : setup.seats;
    const common = new Set(game.presets.filter((p) => /^base|^four|^five|^six/.test(p.name)).flatMap((p) => p.cards).concat(game.id === 'one_night' ? ['minion', 'drunk', 'insomniac', 'mason', 'hunter', 'tanner', 'doppelganger'] : []));
    const shown = cards.filter((c) => (find ? kindName(c).toLowerCase().includes(find.toLowerCase()) || c.includes(find.toLowerCase()) : all || setup.roles[c] || common.has(c)));
    const change = (card, n) => {
        const roles = { ...setup.roles, [card]: n };
        if (n <= 0) delete roles[card];
        set({ ...setup, preset: '', roles });
    };
    return html`<${Card} title=${t('new.roles')} icon="tag" actions=${html`<${Badge} tone=${total === wanted ? 'good' : 'warn'}>${t('new.rolesN', { n: total, of: wanted })}<//>`}>
        <div class="row"><div class="grow"><${Text} label=${t('new.findRole')} value=${find} onInput=${setFind} /></div></div>
        <ul class="roles">${shown.map((card) => html`<li key=${card} class=${setup.roles[card] ? 'on' : ''}><${Stepper} label=${kindName(card)} value=${setup.roles[card] || 0} min=${0} max=${6} onChange=${(n) => change(card, n)} /></li>`)}</ul>
        ${!find && html`<div class="row"><${Button} kind="small" expanded=${all} onClick=${() => setAll(!all)}>${all ? t('new.fewerRoles') : t('new.allRoles', { n: cards.length })}<//></div>`}
    <//>`;
}

// An option's value as a start takes it: its own, else the game's.
const FALLBACK = { bool: (o) => (o.default ? 'yes' : 'no'), choice: (o) => o.choices[o.default] };
const fallbackOf = (option) => FALLBACK[option.type]?.(option) ?? option.default;
const isOn = (value) => ['1', 'yes', 'true', 'on'].includes(String(value));
const differs = (option, value) => (option.type === 'bool' ? isOn(value) !== isOn(fallbackOf(option)) : String(value) !== String(fallbackOf(option)));

function Options({ game, setup, set }) {
    const change = (option, value) => {
        const options = { ...setup.options, [option.name]: value };
        if (!differs(option, value)) delete options[option.name];
        set({ ...setup, options });
    };
    const chosen = game.options.filter((o) => o.name in setup.options && differs(o, setup.options[o.name])).length;
    return html`<${Card} title=${t('new.options')} icon="gear" actions=${chosen > 0 && html`<${Badge} tone="info">${t('new.changed', { n: chosen })}<//>`}>
        <details open=${game.options.length <= 6}><summary>${t('new.optionsN', { n: game.options.length })}</summary>
            <div class="options-grid">${game.options.map((o) => html`<${Option} key=${o.name} option=${o} value=${setup.options[o.name]} change=${change} />`)}</div></details>
    <//>`;
}

// What only repeats the name says nothing.
function helpOf(option) {
    const help = said(option.help);
    return help.toLowerCase() === optionName(option.name).toLowerCase() ? '' : help;
}

function Option({ option, value = fallbackOf(option), change }) {
    const label = optionName(option.name), hint = helpOf(option);
    if (option.type === 'bool') return html`<${Check} label=${label} hint=${hint} checked=${isOn(value)} onChange=${(to) => change(option, to ? 'yes' : 'no')} />`;
    if (option.type === 'choice') {
        return html`<${Select} label=${label} hint=${hint} value=${value} options=${option.choices.map((c) => [c, choiceName(c)])} onChange=${(to) => change(option, to)} />`;
    }
    return html`<${Field} label=${label} hint=${`${hint} (${option.min}–${option.max})`}>${(of) => html`<input ...${of} type="number" min=${option.min} max=${option.max} value=${value}
        onChange=${(e) => change(option, Number(e.target.value))} />`}<//>`;
}

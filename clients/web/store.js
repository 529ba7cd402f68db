// What the pages know: one place, fed by the session and by the stream of the table that is looked at. Components
// subscribe with useStore and are drawn again when something came.
import { useEffect, useState } from './vendor/htm-preact.js';
import { all, call, follow, get, setCsrf, whenRefused } from './api.js';
import * as clock from './clock.js';
import { current } from './i18n.js';
import { learn } from './said.js';

const EVENTS_KEPT = 200, STALE_MS = 5000;
const nothing = () => ({ game: null, phase: null, board: null, seats: null, violation: null, result: null, readers: null, facts: [] });

export const state = {
    ready: false,          // the first questions are answered
    info: null,            // GET /info
    session: null,         // who we are, or null
    unknown: '',           // why we are nobody: "", "401", "offline"
    tables: [],
    table: '',
    view: nothing(),
    events: [],            // newest first
    narration: null,
    link: { state: 'idle', since: Date.now(), at: 0 }, // idle connecting live lost gone
    games: null,
    toasts: [],
};

const listeners = new Set();
let planned = false;

export function changed() {
    if (planned) return;
    planned = true;
    queueMicrotask(() => {
        planned = false;
        listeners.forEach((listener) => listener());
    });
}

export function useStore() {
    const [, draw] = useState(0);
    useEffect(() => {
        const listener = () => draw((n) => n + 1);
        listeners.add(listener);
        return () => listeners.delete(listener);
    }, []);
    return state;
}

// ---- who we are

export const can = (capability) => !!state.session && state.session.capabilities.includes(capability);
export const isAdmin = () => state.session?.role === 'admin';
export const mayRun = () => state.session?.role === 'admin' || state.session?.role === 'operator';

export async function begin() {
    whenRefused(() => {
        if (state.session) signedOut('401');
    });
    await askInfo();
    await askSession();
    state.ready = true;
    changed();
}

export async function askInfo() {
    try {
        const info = await get('info', { quiet: true });
        restarted(info.boot_id);
        state.info = info;
        await learn(current(), state.info.locale);
        state.unknown = state.unknown === 'offline' ? '' : state.unknown;
    } catch (problem) {
        state.unknown = problem.status === 0 ? 'offline' : state.unknown;
    }
    changed();
}

// A daemon that has started again may have other tables.
function restarted(boot) {
    if (!boot || !state.info || state.info.boot_id === boot) return false;
    state.info = { ...state.info, boot_id: boot };
    if (state.session) askTables();
    return true;
}

async function askSession() {
    try {
        await signedIn(await get('session', { quiet: true }));
    } catch (problem) {
        signedOut(problem.status === 0 ? 'offline' : '');
    }
}

export async function signedIn(session) {
    state.session = session;
    state.unknown = '';
    setCsrf(session.csrf);
    await askTables();
    get('games').then((games) => {
        state.games = games.games;
        changed();
    }, () => {});
    changed();
}

async function askTables() {
    const { tables } = await get('tables').catch(() => state), { session } = state;
    if (!session) return;
    state.tables = tables;
    const wanted = state.table || localStorage.getItem('tabled.table'), names = state.tables.map((t) => t.table);
    watch(session.table || (names.includes(wanted) ? wanted : names[0]) || '');
    changed();
}

export function signedOut(why) {
    stop();
    setCsrf('');
    Object.assign(state, { session: null, unknown: why, tables: [], table: '', games: null });
    changed();
}

export async function signOut() {
    await call('DELETE', 'session').catch(() => {});
    signedOut('');
}

// ---- the table that is looked at

let unfollow = null;

function stop() {
    if (unfollow) unfollow();
    unfollow = null;
    told = '';
    Object.assign(state, { view: nothing(), events: [], narration: null });
    setLink('idle');
}

function setLink(to) {
    if (state.link.state !== to) state.link = { ...state.link, state: to, since: Date.now() };
    changed();
}

export function watch(table) {
    if (table === state.table && unfollow) return;
    stop();
    state.table = table;
    if (!table) return;
    localStorage.setItem('tabled.table', table);
    setLink('connecting');
    unfollow = follow(table, {
        open(date) {
            clock.fromDate(date);
            state.link.at = Date.now();
            setLink('live');
        },
        message: take,
        lost() {
            if (state.link.state !== 'lost') setLink('lost');
            askInfo();
        },
        refused(status) {
            setLink('gone');
            if (status === 401) signedOut('401');
            if (status === 404) askTables();
        },
    });
}

function take(topic, body) {
    state.link.at = Date.now();
    if (body.header?.at) clock.fromMessage(body.header.at);
    if (restarted(body.header?.boot_id)) askInfo();
    if (topic === 'reset') {
        Object.assign(state, { view: nothing(), events: [] });
    } else if (topic === 'event') {
        state.events = [body, ...state.events].slice(0, EVENTS_KEPT);
    } else if (topic === 'narration') {
        state.narration = { ...body, heard: Date.now() };
    } else {
        state.view = { ...state.view, [topic]: body };
        if (topic === 'game') gameChanged(body);
    }
    changed();
}

function gameChanged(game) {
    const row = state.tables.find((t) => t.table === state.table);
    if (row) Object.assign(row, { status: game.status, game: game.game });
    if (game.header.game_id && game.header.game_id !== told) readBack(game.header.game_id);
}

// The stream tells what happens from now on; what was before in this game is read once.
let told = '';
async function readBack(id) {
    told = id;
    const entries = await all(`tables/${state.table}/timeline`, 'events', 1000, { quiet: true }).catch(() => []);
    if (told !== id) return;
    const first = state.events.length ? state.events[state.events.length - 1].header.seq : Infinity;
    const before = entries.filter((e) => e.topic === 'event' && e.body.header.seq < first).map((e) => e.body).reverse();
    state.events = [...state.events.filter((e) => e.header.game_id === id), ...before].slice(0, EVENTS_KEPT);
    changed();
}

// Stale: nothing is coming, long enough that a reader of the page should not trust it.
export function staleSince() {
    const { link } = state;
    if (link.state === 'lost' || link.state === 'gone') return Date.now() - link.since >= STALE_MS || link.state === 'gone' ? link.at || link.since : 0;
    return 0;
}

// ---- what the pages say about what they did

let toastId = 0;
export function toast(text, kind = 'good') {
    const id = ++toastId;
    state.toasts = [...state.toasts.slice(-3), { id, text, kind }];
    changed();
    setTimeout(() => dismiss(id), kind === 'bad' ? 12000 : 5000);
}
export function dismiss(id) {
    state.toasts = state.toasts.filter((t) => t.id !== id);
    changed();
}

// Runs something a button asked for; a problem becomes a message. True if it went well.
export async function attempt(work, good) {
    try {
        await work();
        if (good) toast(good);
        return true;
    } catch (problem) {
        toast(problem.rule ? `${problem.message} (${problem.rule})` : problem.message, 'bad');
        return false;
    }
}

export const control = (what, fields = {}) => call('POST', `tables/${state.table}/control`, { do: what, ...fields });

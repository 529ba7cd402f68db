// How the pages talk to the daemon: JSON requests, problems as errors, one event stream. The session is a cookie that no
// script can read; its partner, the csrf value, goes with every write.

import { current, has, t } from './i18n.js';
import { translated } from './said.js';

const BASE = '/api/v1';
let csrf = '';
const onRefused = new Set();

export function setCsrf(value) {
    csrf = value || '';
}

// Told when the daemon does not know us any more.
export function whenRefused(handler) {
    onRefused.add(handler);
}

// What the daemon refuses with, in the reader's language; a sentence without a translation is told with its kind before it.
function tell(status, { code, title, detail }) {
    const key = `problem.${status ? code : 'offline'}`, kind = has(key) ? t(key) : title || `HTTP ${status}`;
    if (!status || !detail || detail === title) return kind;
    return translated(detail) ?? (current() === 'en' ? detail : `${kind}: ${detail}`);
}

export class Problem extends Error {
    constructor(status, body) {
        super(tell(status, body));
        this.status = status;
        this.code = body.code || (status === 0 ? 'offline' : 'internal');
        this.rule = body.rule || '';
        this.issues = body.issues || [];
        this.retryAfter = 0;
    }
}

// An answer that breaks off is none; of a refusal the status says enough.
async function readBody(answer) {
    const type = answer.headers.get('Content-Type') || '';
    if (answer.status === 204) return null;
    if (type.includes('json')) return answer.ok ? answer.json() : answer.json().catch(() => ({}));
    return answer.text();
}

// cache 'no-cache': asked again and again; what has not changed is not sent again.
export async function call(method, path, body, { signal, quiet, cache = 'no-store' } = {}) {
    const headers = { Accept: 'application/json' };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (method !== 'GET') {
        if (csrf) headers['X-CSRF-Token'] = csrf;
        headers['Idempotency-Key'] = key();
    }
    let answer, data;
    try {
        answer = await fetch(path.startsWith('/') ? path : `${BASE}/${path}`, {
            method, headers, signal, cache, credentials: 'same-origin',
            body: body === undefined ? undefined : JSON.stringify(body),
        });
        data = await readBody(answer);
    } catch (error) {
        if (error.name === 'AbortError') throw error;
        throw new Problem(0, { title: error.message });
    }
    if (answer.ok) return data;
    const problem = new Problem(answer.status, data && typeof data === 'object' ? data : {});
    problem.retryAfter = Number(answer.headers.get('Retry-After')) || 0;
    if (answer.status === 401 && !quiet) onRefused.forEach((handler) => handler(problem));
    throw problem;
}

function key() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

export const get = (path, options) => call('GET', path, undefined, options);
export const post = (path, body, options) => call('POST', path, body, options);
export const patch = (path, body) => call('PATCH', path, body);
export const remove = (path) => call('DELETE', path);

// Every page of a list that comes in pieces, up to `most` entries.
export async function all(path, field, most = 5000, options = {}) {
    const rows = [];
    let next = '';
    do {
        const page = await get(`${path}${path.includes('?') ? '&' : '?'}limit=200${next ? `&after=${encodeURIComponent(next)}` : ''}`, options);
        rows.push(...(page[field] || []));
        next = page.next;
    } while (next && rows.length < most);
    return rows;
}

// ---- the stream

const SILENCE_MS = 20000; // a comment comes every 15 s
const RETRY_MS = [400, 800, 1500, 3000, 5000];

// Follows one table. handlers: open(date), message(topic, data), lost(), refused(status). Returns a function that stops.
export function follow(table, handlers) {
    let stopped = false, tries = 0, lastId = '', abort, timer, watch;

    const again = () => {
        clearTimeout(watch);
        if (stopped) return;
        handlers.lost();
        timer = setTimeout(connect, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] * (0.75 + Math.random() / 2));
        tries += 1;
    };
    const listen = () => {
        clearTimeout(watch);
        watch = setTimeout(() => abort.abort(), SILENCE_MS);
    };
    async function connect() {
        abort = new AbortController();
        try {
            listen();
            const headers = { Accept: 'text/event-stream' };
            if (lastId) headers['Last-Event-ID'] = lastId;
            const answer = await fetch(`${BASE}/tables/${table}/events`, { headers, signal: abort.signal, cache: 'no-store' });
            if (!answer.ok) {
                if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
                    clearTimeout(watch);
                    handlers.refused(answer.status);
                    return;
                }
                throw new Problem(answer.status, {});
            }
            tries = 0;
            handlers.open(answer.headers.get('Date'));
            await read(answer.body.getReader(), (event) => {
                listen();
                if (!event) return;
                if (event.id) lastId = event.id;
                if (event.data) handlers.message(event.topic, JSON.parse(event.data));
                else if (event.topic === 'reset') handlers.message('reset', {});
            });
        } catch (error) {
            if (stopped) return;
        }
        again();
    }
    connect();
    return () => {
        stopped = true;
        clearTimeout(timer);
        clearTimeout(watch);
        abort.abort();
    };
}

// Splits a stream into events; null for a comment, which only says that the other end lives.
async function read(reader, each) {
    const decoder = new TextDecoder();
    let rest = '', event = {};
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
        rest = lines.pop();
        for (const line of lines) {
            if (line === '') {
                if (event.topic || event.data) each(event);
                event = {};
            } else if (line[0] === ':') {
                each(null);
            } else {
                const at = line.indexOf(':'), name = line.slice(0, at), text = line.slice(at + 1).replace(/^ /, '');
                if (name === 'event') event.topic = text;
                else if (name === 'data') event.data = (event.data ? event.data + '\n' : '') + text;
                else if (name === 'id') event.id = text;
            }
        }
    }
}

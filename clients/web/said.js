// What the daemon says, in the language of this page. It speaks one language (its `locale`) and refuses in English; here
// both become the reader's. Nothing is asked of the daemon for it: the books are files of the dashboard.
import { current } from './i18n.js';
import { lineAgain, lineOf, nameOf, reader, sentenceOf } from './phrases.js';

const books = {}, known = new Map();
let daemon = 'en';

async function fetchBook(language) {
    if (books[language]) return;
    const answer = await fetch(`/lang/said/${language}.json`, { credentials: 'same-origin' });
    if (answer.ok) books[language] = reader(await answer.json());
}

// Before the first page, when the language changes, and when the daemon is known. Without a book texts stay as they came.
export async function learn(language, ofDaemon = daemon) {
    daemon = ofDaemon || 'en';
    known.clear();
    await Promise.all([language, daemon].map((one) => fetchBook(one).catch(() => {})));
}

// null: it has no translation.
export function translated(text) {
    const to = books[current()];
    if (!text || !to) return null;
    if (!known.has(text)) {
        if (known.size > 2000) known.clear();
        known.set(text, sentenceOf(to, books[daemon], text));
    }
    return known.get(text);
}

export const said = (text) => translated(text) ?? text;
// A sentence of a story, where lines of the game stand as text.
export function told(text, game) {
    const to = books[current()], from = books[daemon];
    return (to && from && to !== from && lineAgain(to, from, game, text)) || said(text);
}
// Names of options, verbs and words of choices.
export const named = (context, word) => (books[current()] ? nameOf(books[current()], context, String(word)) : null);

// A spoken line of a game: { text, lang }.
export function spoken(line, game, locale) {
    const text = locale === current() ? null : books[current()] && lineOf(books[current()], game, line);
    return text ? { text, lang: current() } : { text: line.text, lang: locale };
}

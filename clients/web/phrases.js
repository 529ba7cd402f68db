// A sentence of the daemon in another language. A book (lang/said/LANG.json, made by po/catalogue.py) has the lines by
// game and id, names by context, and all other sentences by the English one. Numbers and words stand outside: {0}, {1}.

const SLOT = /\{(\d)\}/;
const fill = (template, words) => template.replace(/\{(\d)\}/g, (all, i) => words[i] ?? all);

// ---- names and lines: the same words as a narrator's (core/phrase.c)

const own = (table, key) => (table && Object.hasOwn(table, key) ? table[key] : undefined); // nothing that every object has

// "planet.p3" is looked up as it is, then as "planet.p{0}"; null: the book does not know it.
export function nameOf(book, context, word) {
    const names = book.names[context], whole = own(names, word);
    if (whole) return whole;
    const numbers = [];
    const pattern = word.replace(/(^|[^A-Za-z0-9])-\d+|\d+/g, (all, before = '') => {
        numbers.push(all.slice(before.length));
        return `${before}{${numbers.length - 1}}`;
    });
    const shape = numbers.length ? own(names, pattern) : null;
    return shape ? fill(shape, numbers) : null;
}

function wordOf(book, arg) {
    if (arg.type === 'number') return arg.value;
    const word = arg.type === 'seat' ? arg.label || arg.value.slice(1) : arg.value;
    return nameOf(book, arg.type, word) ?? word.replace(/_/g, ' ');
}

// line: { id, args: [{ type, value, label }] }; null: the book does not know it.
export function lineOf(book, game, line) {
    const forms = book.lines[game]?.[line.id] ?? book.lines['']?.[line.id];
    if (!forms) return null;
    const number = line.args.find((arg) => arg.type === 'number');
    const text = Array.isArray(forms) ? forms[Number(number?.value) === 1 ? 0 : 1] : forms;
    return fill(text, line.args.map((arg) => wordOf(book, arg)));
}

// ---- whole sentences

const plain = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// Templates with slots as patterns, those with most letters first: they are the most certain.
function shapes(rows) {
    const letters = (template) => template.replace(/\{\d\}/g, '').length;
    return rows.filter(([template]) => SLOT.test(template)).sort(([a], [b]) => letters(b) - letters(a)).map(([template, to]) => {
        const parts = template.split(/\{(\d)\}/);
        return { to, slots: parts.filter((_, i) => i % 2), is: new RegExp(`^${parts.map((part, i) => (i % 2 ? '(.*?)' : plain(part))).join('')}$`) };
    });
}

// From rows [sentence, what it becomes]: text in, { to, words } out, or null.
function finder(rows) {
    const exact = new Map(rows);
    let patterns;
    return (text) => {
        if (exact.has(text)) return { to: exact.get(text), words: [] };
        patterns ??= shapes(rows);
        for (const { is, slots, to } of patterns) {
            const match = is.exec(text);
            if (!match) continue;
            const words = [];
            slots.forEach((slot, i) => { words[slot] = match[i + 1]; });
            return { to, words };
        }
        return null;
    };
}

// A book with its ways there and back.
export function reader(book) {
    const rows = Object.entries(book.said), made = {}, turned = (row) => row.reverse();
    const lines = (game) => Object.entries({ ...book.lines[''], ...book.lines[game] }).flatMap(([id, forms]) => [forms].flat().map((text) => [text, id]));
    return {
        ...book, there: finder(rows), back: finder(Object.entries(book.said).map(turned)),
        lineBack: (game, text) => (made[game] ??= finder(lines(game)))(text),
        nameBack: (context, name) => (made[`.${context}`] ??= finder(Object.entries(book.names[context]).map(turned)))(name),
    };
}

const TYPES = { s: 'seat', k: 'kind', p: 'place', n: 'number' };

// A line of a game that came as text alone (in a story): known again by what `from` says. null: it is none.
export function lineAgain(to, from, game, text) {
    const found = from.lineBack(game, text);
    if (!found) return null;
    const types = from.args[game]?.[found.to] || '';
    // The form of one says its number in words.
    const args = Array.from({ length: Math.max(types.length, found.words.length) }, (_, i) => {
        const type = TYPES[types[i]] || 'number', word = found.words[i] ?? (type === 'number' ? '1' : ''), back = type === 'number' ? null : from.nameBack(type, word);
        const value = back ? fill(back.to, back.words) : word;
        return type === 'seat' ? { type, value: `s${value}`, label: /^\d+$/.test(value) ? '' : value } : { type, value };
    });
    return lineOf(to, game, { id: found.to, args });
}

// A word inside a sentence: a kind, a part with a translation of its own (what was typed stays as it is), or as it is.
function inside(to, word) {
    const kind = nameOf(to, 'kind', word), part = kind ? null : to.there(word);
    return kind ?? (part ? fill(part.to, part.words) : word);
}

// `text` is English or `from`'s; `to` and `from` are readers. null: nobody knows it.
export function sentenceOf(to, from, text) {
    const known = to.there(text);
    if (known) return fill(known.to, known.words.map((word) => inside(to, word)));
    const back = from && from !== to ? from.back(text) : null;
    if (!back) return null;
    const there = to.there(back.to);
    return fill(there ? there.to : back.to, back.words);
}

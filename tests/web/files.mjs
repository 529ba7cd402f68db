// What needs no browser: languages, vendored files, rules of the source, replay.
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { check, ROOT, same, WEB } from './lib.mjs';

const walk = (folder) => fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? walk(path.join(folder, entry.name)) : [path.join(folder, entry.name)]));
const sources = () => walk(WEB).filter((file) => file.endsWith('.js') && !file.includes('/vendor/') && !file.includes('/lang/'));

// The files are modules to the browser; here they are loaded as such whatever package they lie in.
async function load(name) {
    const folder = fs.mkdtempSync('/tmp/tabled-lang-');
    for (const file of walk(path.join(WEB, 'lang')).concat(path.join(WEB, 'replay.js'), path.join(WEB, 'phrases.js'))) {
        const text = fs.readFileSync(file, 'utf8').replace(/from '(\.\/[^']+)\.js'/g, "from '$1.mjs'");
        fs.writeFileSync(path.join(folder, path.basename(file).replace(/\.js$/, '.mjs')), text);
    }
    const module = await import(path.join(folder, `${name}.mjs`));
    fs.rmSync(folder, { recursive: true });
    return module;
}

export async function languages_are_complete() {
    const en = (await load('en')).default, values = (text) => (text.match(/\{\w+\}/g) || []).sort().join();
    for (const language of ['es', 'it', 'zh']) {
        const other = (await load(language)).default;
        same(Object.keys(en).filter((key) => !other[key]), [], `missing in ${language}`);
        same(Object.keys(other).filter((key) => !en[key] && !key.startsWith('kind.')), [], `only in ${language}`);
        same(Object.keys(en).filter((key) => values(en[key]) !== values(other[key])), [], `other values in ${language}`);
    }
    const cards = await Promise.all(['es', 'it', 'zh'].map(async (language) => Object.keys((await load(`${language}_cards`)).default)));
    same(cards[1], cards[0], 'cards in it');
    same(cards[2], cards[0], 'cards in zh');
}

// The pages' names of kinds, in all languages, for every kind of every game the daemon knows.
export async function every_kind_has_a_name({ house }) {
    const { games } = (await house.local('GET', '/api/v1/games')).body;
    const patterns = /^(token_|ballot_|place_|observation_|action_|card_|tc_|town_card_|boot_|piece_|round_card_|sheep_|marker_|number_)/;
    for (const language of ['es', 'it', 'zh']) {
        const words = (await load(language)).default;
        same(games.flatMap((game) => game.kinds.filter((kind) => !patterns.test(kind) && !words[`kind.${kind}`])), [], `kinds without a name in ${language}`);
        same([...new Set(games.flatMap((game) => game.phases))].filter((phase) => !words[`phase.${phase}`]), [], `phases without a name in ${language}`);
    }
}

// Help of options and presets, names of options and their words, in all languages.
export async function every_option_is_explained({ house }) {
    const { games } = (await house.local('GET', '/api/v1/games')).body, { nameOf } = await load('phrases');
    for (const language of ['es', 'it', 'zh']) {
        const words = await book(language), options = games.flatMap((game) => game.options);
        same([...options, ...games.flatMap((game) => game.presets)].filter((one) => one.help && !words.said[one.help]).map((one) => one.help), [], `help in ${language}`);
        same(options.filter((one) => !nameOf(words, 'option', one.name)).map((one) => one.name), [], `options in ${language}`);
        same(options.flatMap((one) => one.choices).filter((word) => !nameOf(words, 'word', word) && !nameOf(words, 'kind', word)), [], `words in ${language}`);
        same(games.flatMap((game) => game.verbs).filter((verb) => !nameOf(words, 'verb', verb.name)).map((verb) => verb.name), [], `verbs in ${language}`);
    }
}

export async function every_sentence_is_there() {
    const en = (await load('en')).default;
    for (const file of sources()) {
        const text = fs.readFileSync(file, 'utf8');
        for (const [, key] of text.matchAll(/\bt\('([^']+)'/g)) check(en[key], `${path.basename(file)}: no sentence '${key}'`);
        for (const [, stem] of text.matchAll(/\bt\(`([\w.]+\.)\$\{/g)) check(Object.keys(en).some((key) => key.startsWith(stem)), `${path.basename(file)}: no sentence of '${stem}...'`);
    }
}

export async function vendored_files_are_unchanged() {
    const rows = [...fs.readFileSync(path.join(WEB, 'vendor/README.md'), 'utf8').matchAll(/^\| `([\w.-]+)` .*`([0-9a-f]{64})` \|$/gm)];
    same(rows.length, fs.readdirSync(path.join(WEB, 'vendor')).filter((name) => /\.(js|css)$/.test(name)).length, 'a row for each vendored file');
    for (const [, name, hash] of rows) same(crypto.createHash('sha256').update(fs.readFileSync(path.join(WEB, 'vendor', name))).digest('hex'), hash, name);
}

export async function text_enters_as_text() {
    for (const file of sources()) {
        const text = fs.readFileSync(file, 'utf8');
        for (const word of ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'dangerouslySet', 'document.write', 'eval(', 'new Function']) check(!text.includes(word), `${path.basename(file)} has ${word}`);
        check(!/https?:\/\//.test(text.replace(/http:\/\/www\.w3\.org\/2000\/svg/g, '')), `${path.basename(file)} names an address elsewhere`);
        check(text.split('\n').length <= 400, `${path.basename(file)} is too long`);
    }
}

export async function a_timeline_folds_into_moments() {
    const { moments } = await load('replay');
    const entries = [
        { at: '1', topic: 'board', body: { places: [1] } }, { at: '1', topic: 'phase', body: { id: 'deal' } },
        { at: '2', topic: 'event', body: { event: 'action' } }, { at: '2', topic: 'board', body: { places: [2] } }, { at: '3', topic: 'narration', body: { lines: [{ text: 'a' }, { text: 'b' }] } },
    ];
    const list = moments(entries, { game: 'x' }, { over: true });
    const said = (m) => (m.said ? m.said.lines.map((l) => l.text).join(' ') : '');
    same(list.map((m) => [m.at, m.entry.topic, m.view.board.places[0], said(m)]), [['1', 'board', 1, ''], ['1', 'phase', 1, ''], ['2', 'event', 2, 'a b']], 'moments');
    check(list[2].view.result.over && !list[0].view.result, 'the truth is told at the end alone');
}

// ---- what the daemon says, in the language of the page

const book = async (language) => (await load('phrases')).reader(JSON.parse(fs.readFileSync(path.join(WEB, `lang/said/${language}.json`), 'utf8')));
const TYPES = { s: 'seat', k: 'kind', p: 'place', n: 'number' };

// Every line of every game, with arguments, is the sentence that a narrator speaks.
export async function a_page_says_what_a_narrator_says() {
    const { lineOf } = await load('phrases');
    const extract = path.join(process.env.TABLED_BUILD || path.join(ROOT, 'build/ci'), 'bin/extract');
    for (const language of ['en', 'es', 'it', 'zh']) {
        const words = await book(language), rows = execFileSync(extract, ['--spoken', language], { encoding: 'utf8' }).trimEnd().split('\n');
        check(rows.length > 600, `${language}: ${rows.length} lines`);
        for (const row of rows) {
            const [game, id, given, text] = row.split('\t');
            const args = given.split(';').filter(Boolean).map((one) => one.split(',')).map(([type, value, label]) => ({ type: TYPES[type], value, label }));
            same(lineOf(words, game, { id, args }), text, `${language} ${game} ${id}`);
        }
    }
}

// English or the daemon's language in, the reader's out: with numbers, with words, from a story; what nobody knows stays.
export async function sentences_find_their_way() {
    const { sentenceOf, lineAgain, lineOf } = await load('phrases');
    const [en, es, it, zh] = await Promise.all(['en', 'es', 'it', 'zh'].map(book));
    const rows = [
        [zh, en, 'name or password is wrong', '名称或密码错误'], [es, en, '7 cards, but 5 players need 8', '7 cartas, pero 5 jugadores necesitan 8'],
        [it, en, '4 times werewolf, but the deck owns 3', '4 volte lupo mannaro, ma il mazzo ne ha 3'], [en, es, 'no hay ningún prado', 'there is no pasture'],
        [zh, es, 'la casilla 3,-1 no es prado', '格3,-1不是草地'], [it, es, 'lobo solitario que nadie conoce', null], [en, en, 'there is no pasture', null],
        [zh, en, "there is no game 'constructor'", "没有游戏 'constructor'"],
        // What was meant, or what there is: the words as they are to be typed, also where they are names of pieces.
        [es, en, "there is no game 'alien_hnt'; did you mean 'alien_hunt'?", "no hay juego 'alien_hnt'; ¿querías decir 'alien_hunt'?"],
        [it, en, "One Night has no card 'sear'; did you mean 'seer'?", "One Night non ha la carta 'sear'; intendevi 'seer'?"],
        [zh, en, "there is no table 'x'; there are: main hall", '没有桌子“x”；现有： main hall'],
        [it, en, 'its port', 'la sua porta'],
        [zh, en, "no pad feels the shield; not here: sentinel", '没有感应区能感知盾牌；此处不可：哨兵'],
    ];
    for (const [to, from, text, expected] of rows) same(sentenceOf(to, from, text), expected, text);
    const args = [{ type: 'seat', value: 's2', label: '' }, { type: 'kind', value: 'alpha_wolf' }];
    const line = (of, game, id) => lineOf(of, game, { id, args });
    for (const [game, id] of [['battle_sheep', 'tile'], ['one_night', 'dies'], ['one_night', 'close_410']]) same(lineAgain(zh, es, game, line(es, game, id)), line(zh, game, id), `${game} ${id} of a story`);
    // Of one and of many, as all languages have them.
    for (const game of Object.keys(en.lines)) {
        for (const [id, forms] of Object.entries(en.lines[game])) {
            for (const n of Array.isArray(forms) ? ['1', '3'] : []) {
                const given = [...en.args[game][id]].map((type) => ({ type: TYPES[type], value: type === 'n' ? n : type === 's' ? 's2' : 'a1', label: '' }));
                same(lineAgain(es, en, game, lineOf(en, game, { id, args: given })), lineOf(es, game, { id, args: given }), `${n} in ${game} ${id} of a story`);
            }
        }
    }
    same(lineAgain(es, zh, 'one_night', line(zh, 'one_night', 'dies')), line(es, 'one_night', 'dies'), 'and back');
    for (const [to, from] of [[it, es], [es, zh], [zh, it], [en, zh]]) {
        const lost = Object.entries(from.said).filter(([, text]) => !/\{/.test(text)).filter(([english, text]) => sentenceOf(to, from, text) === null && from.said[english] !== english);
        same(lost.map(([english]) => english), [], 'sentences without a way back');
    }
}

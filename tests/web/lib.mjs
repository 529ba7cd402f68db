// What the cases share: the house with its hands, one browser, waiting that says what it waited for.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createRequire } from 'node:module';

export const HERE = path.dirname(fileURLToPath(import.meta.url));
export const ROOT = path.resolve(HERE, '../..');
export const WORK = process.env.WEB_TESTS || path.join(ROOT, 'build/web-tests');
export const WEB = path.join(ROOT, 'clients/web');
const require = createRequire(path.join(WORK, 'package.json'));
const { chromium } = require('playwright-core');
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export function check(condition, text) {
    if (!condition) throw new Error(text);
}
export function same(got, expected, text) {
    check(JSON.stringify(got) === JSON.stringify(expected), `${text}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
}

// tests/web/house.py as a child: house.put('main', 's1', 'seer').
export class House {
    constructor() {
        this.child = spawn('python3', [path.join(HERE, 'house.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
        this.waiting = new Map();
        this.n = 0;
        readline.createInterface({ input: this.child.stdout }).on('line', (line) => {
            const answer = JSON.parse(line), [good, bad] = this.waiting.get(answer.id);
            this.waiting.delete(answer.id);
            if (answer.error) bad(new Error(answer.error));
            else good(answer.value);
        });
        this.child.on('exit', () => this.waiting.forEach(([, bad]) => bad(new Error('the house has gone'))));
        return new Proxy(this, { get: (house, name) => (name in house || typeof name !== 'string' || name === 'then' ? house[name] : (...args) => house.ask(name, args)) });
    }

    ask(what, args) {
        return new Promise((good, bad) => {
            const id = ++this.n;
            this.waiting.set(id, [good, bad]);
            this.child.stdin.write(`${JSON.stringify({ id, do: what, args })}\n`);
        });
    }

    leave() {
        return new Promise((done) => {
            this.child.on('exit', done);
            this.child.stdin.end();
        });
    }
}

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export class Browser {
    static async open(base) {
        const ret = new Browser();
        ret.base = base;
        ret.complaints = [];
        ret.browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', headless: true, args: FLAGS });
        return ret;
    }

    // A person at a device of their own: cookies and storage of one do not reach another.
    async person(name, options = {}) {
        const context = await this.browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
        const page = await context.newPage();
        page.setDefaultTimeout(45000); // a limit, not a pace: a busy machine draws late
        page.on('pageerror', (error) => this.complaints.push(`${name}: ${error.message}`));
        page.on('console', (message) => {
            if (message.type() === 'error' && !/Failed to load resource|net::ERR/.test(message.text())) this.complaints.push(`${name}: ${message.text()}`);
        });
        page.who = name;
        return page;
    }
}

export async function open(page, base, where) {
    await page.goto(`${base}/#/${where}`);
    await page.evaluate((hash) => { if (location.hash !== hash) location.hash = hash; }, `#/${where}`);
    await page.locator('h1').first().waitFor();
}

// Waits until the page shows this text, as people see it.
export const sees = (page, text, options = {}) => page.getByText(text, options).filter({ visible: true }).first().waitFor();

// No rule of WCAG 2.2 A and AA is broken (or of `rules` alone); says which and where.
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
export async function accessible(page, what, rules) {
    if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe);
    const found = await page.evaluate(async (only) => (await window.axe.run(document, { runOnly: only, resultTypes: ['violations'] })).violations
        .map((v) => `${v.id} (${v.nodes.length}): ${v.help}: ${v.nodes.slice(0, 3).map((n) => `${n.target.join(' ')} ${(n.any[0] || n.all[0] || n.none[0])?.message || ''}`).join(' | ')}`), rules || STANDARDS);
    check(!found.length, `${what}: ${found.join('\n      ')}`);
}

export async function picture(page, name) {
    const folder = path.join(WORK, 'pictures');
    fs.mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true, animations: 'disabled' });
}

// Nothing sticks out sideways; says what does.
export async function fits(page, what) {
    const out = await page.evaluate(() => {
        const wide = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth <= wide) return [];
        return [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > wide + 1 && !e.closest('.scroll')).slice(0, 4)
            .map((e) => `${e.tagName.toLowerCase()}.${e.getAttribute('class')} to ${Math.round(e.getBoundingClientRect().right)}`);
    });
    check(!out.length, `${what} is too wide: ${out.join(', ')}`);
}

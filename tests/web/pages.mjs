// Every page in both themes and at both ends of the widths: nothing breaks a rule of accessibility or sticks out; pictures are kept.
import { accessible, check, fits, open, picture, same, sees } from './lib.mjs';

const PAGES = ['table', 'tables', 'new', 'timeline', 'violations', 'readers', 'enrol', 'sound', 'stats', 'logs', 'people', 'settings', 'about'];
const GAMES = { planet: ['not_alone', 5], map: ['elfenland', 4], hunt: ['alien_hunt', 6] };

async function dress(page, theme, width) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((to) => { document.documentElement.dataset.theme = to; localStorage.setItem('tabled.theme', to); }, theme);
}

export async function a_set_up_begins_as_the_table_starts_it({ page, base }) {
    await open(page, base, 'new');
    await page.getByLabel('Which table').selectOption('planet');
    await page.getByLabel('Not Alone').check();
    same(await page.getByLabel('Starting point').inputValue(), '@table', 'the table comes first');
    same(await page.locator('.stepper output').first().innerText(), '4', 'its people');
    check(await page.getByLabel('Seat 3').isChecked() && !await page.getByLabel('Seat 2').isChecked(), 'its computers');
    await sees(page, '3 changed');
    check(await page.getByLabel(/^Expert/).isChecked(), 'its options');
    await page.getByLabel('Starting point').selectOption('five');
    await page.getByLabel('Starting point').selectOption('@table');
    await sees(page, '3 changed');
    await page.getByLabel('Which table').selectOption('map');
    await page.getByLabel('Starting point').locator('option', { hasText: 'Own set-up' }).waitFor({ state: 'attached' });
    same(await page.getByLabel('Starting point').inputValue(), '', 'another table starts something else');
    await page.getByLabel('Which table').selectOption('planet');
    const points = async () => (await page.getByLabel('Starting point').locator('option').allInnerTexts()).join('; ');
    await page.getByLabel('Battle Sheep').check();
    check((await points()).startsWith('Two players; Three players; Four players; Classic splits · '), `nothing is said twice: ${await points()}`);
    await page.getByLabel('One Night').check();
    check(/; House variant, 3;/.test(await points()) && /^Three, first evening · starter set;/.test(await points()), `nor here: ${await points()}`);
    check(await page.getByLabel('Starting point').inputValue() !== '@table', 'it is of one game');
    await page.getByLabel('Which table').selectOption('main');
}

// The network may drop a question without a word, or an answer in its middle; the clock of another page of the same person runs ahead.
export async function a_table_that_does_not_answer_is_asked_again({ page, base }) {
    const other = await page.context().newPage(), broken = [];
    other.on('pageerror', (error) => broken.push(error.message));
    await other.clock.install();
    const asked = { view: 0, readers: 0 };
    await other.route('**/api/v1/tables/meadow', (route) => (++asked.view > 1 ? route.continue() : undefined));
    await other.route('**/api/v1/tables/meadow/readers', (route) => (++asked.readers === 2 ? route.fulfill({ status: 200, contentType: 'application/json', body: '{"readers":' }) : route.continue()));
    const first = other.waitForRequest('**/api/v1/tables/meadow');
    await open(other, base, 'tables');
    await first;
    const waits = other.locator('.tables a', { hasText: 'meadow' }).getByText('Loading');
    await waits.waitFor();
    await other.clock.runFor(16000);
    for (let i = 0; i < 100 && asked.readers < 3; i++) await other.clock.runFor(500);
    await waits.waitFor({ state: 'detached' });
    same(broken, [], 'half an answer');
    await other.close();
}

// Computers play the other games, so that every board has something on it.
export async function computers_play_the_other_games({ house, page, base }) {
    for (const [table, [game, seats]] of Object.entries(GAMES)) {
        const bots = Array.from({ length: seats }, (_, i) => `s${i + 1}`).join(' ');
        const answer = await house.local('POST', `/api/v1/tables/${table}/game`, { game, seats, bots });
        check(answer.status === 201, `${game}: ${JSON.stringify(answer)}`);
    }
    for (const table of Object.keys(GAMES)) {
        await open(page, base, 'table');
        await page.getByLabel('Which table').selectOption(table);
        await page.locator('.board .tile, .board .boot').first().waitFor();
        await picture(page, `board-${table}`);
        await accessible(page, `the board of ${table}`);
    }
    await page.getByLabel('Which table').selectOption('main');
}

// Each page is opened once and then dressed four times. A theme changes colours, not the tree: where only that has changed, only that is looked at.
async function in_all_dresses(page, name) {
    for (const [theme, width, rules] of [['light', 1280], ['dark', 1280, ['color-contrast']], ['dark', 360], ['light', 360, ['color-contrast']]]) {
        const what = `${name}, ${theme}, ${width}`;
        await dress(page, theme, width);
        await accessible(page, what, rules);
        await fits(page, what);
        await picture(page, `${name}-${theme}-${width}`);
    }
}

export async function every_page_is_accessible({ page, base, kept }) {
    for (const name of PAGES) {
        await open(page, base, name);
        await page.waitForFunction(() => !document.querySelector('.page .waiting'));
        check(!await page.locator('.note.bad').count(), `${name} has a problem: ${await page.locator('.note.bad').allTextContents()}`);
        await in_all_dresses(page, name);
    }
    await in_all_dresses(kept.wall, 'spectator');
}

export async function the_menu_of_a_phone_works_by_keyboard({ page, base }) {
    await page.setViewportSize({ width: 360, height: 740 });
    await open(page, base, 'table');
    await page.getByRole('button', { name: 'Menu' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'About' }).focus();
    await accessible(page, 'menu of a phone');
    await picture(page, 'menu-360');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'About', level: 1 }).waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
}

const wide = (page) => page.evaluate(() => [...document.querySelectorAll('.scroll')].filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.getAttribute('aria-label')));

// What the daemon says of options, presets and of a set-up it refuses, too: none of it is left in English.
async function games_are_explained(page, base, code, games) {
    await open(page, base, 'new');
    for (const game of games) {
        await page.getByLabel(game.title, { exact: false }).first().check();
        await page.locator('.options-grid').waitFor({ state: 'attached' });
        await page.locator('details').filter({ has: page.locator('.options-grid') }).evaluate((part) => { part.open = true; });
        const text = await page.locator('.new-grid').innerText();
        const english = [...game.options, ...game.presets].map((one) => one.help).filter((help) => help.includes(' ') && text.includes(help));
        same(english, [], `${game.id} in ${code}`);
    }
    await picture(page, `new-${code}`);
    await page.getByLabel('One Night').first().check();
    await page.locator('.stepper').first().getByRole('button').last().click(); // one more player than cards
    await page.waitForFunction(() => document.querySelector('.sticky .note'));
    same(await page.locator('.sticky .note').filter({ hasText: /players need/ }).count(), 0, `an issue in ${code}`);
}

// What each key of the configuration is for, in the language of the page.
async function keys_are_explained(page, code, settings) {
    await page.locator('table.settings td small').first().waitFor();
    const text = await page.locator('main').innerText(), helps = settings.map((one) => one.help).filter((help) => help.includes(' '));
    check(helps.length > 50, `${helps.length} keys are explained`);
    same(helps.filter((help) => text.includes(help) !== (code === 'en')), [], `settings in ${code}`);
}

export async function it_speaks_four_languages({ page, base, house }) {
    const { games } = (await house.local('GET', '/api/v1/games')).body;
    const { settings } = (await house.local('GET', '/api/v1/settings')).body;
    await open(page, base, 'settings');
    for (const [code, word] of [['es', 'Ajustes'], ['it', 'Impostazioni'], ['zh', '设置'], ['en', 'Settings']]) {
        await page.locator('select').filter({ hasText: '中文' }).selectOption(code);
        await page.getByRole('heading', { name: word, level: 1 }).waitFor();
        check(await page.evaluate(() => document.documentElement.lang) === code, `lang is ${code}`);
        await keys_are_explained(page, code, settings);
        await open(page, base, 'table');
        await picture(page, `table-${code}`);
        await fits(page, `table in ${code}`);
        if (code === 'zh') await games_are_explained(page, base, code, games);
        await page.setViewportSize({ width: 360, height: 740 });
        await open(page, base, 'new');
        await fits(page, `new game in ${code}`);
        await open(page, base, 'people');
        await page.waitForFunction(() => !document.querySelector('.page .waiting') && document.querySelector('table.list td'));
        const thin = await page.evaluate(() => [...document.querySelectorAll('table.list td')].filter((cell) => cell.innerText.length > 3 && cell.clientWidth < 62).map((cell) => cell.innerText));
        same(await wide(page), [], `tables that scroll sideways in ${code}`);
        if (code === 'zh') {
            await accessible(page, 'people in Chinese, 360');
            await picture(page, 'people-zh-360');
        }
        check(!thin.length, `cells with one sign a line in ${code}: ${thin.slice(0, 3).join(' | ')}`);
        if (code === 'zh') {
            await open(page, base, 'readers');
            await page.locator('table.list td').first().waitFor();
            await fits(page, 'readers in Chinese, 360');
            await accessible(page, 'readers in Chinese, 360');
            same(await wide(page), [], 'tables of readers that scroll sideways');
        }
        await page.setViewportSize({ width: 1280, height: 900 });
        await open(page, base, 'settings');
    }
}

export async function a_person_and_a_key_come_and_go({ page, base, browser }) {
    await open(page, base, 'people');
    await page.getByText(/^Seat \d · main · /).first().waitFor(); // which of many phones it is
    await page.getByRole('button', { name: 'Add a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('ben');
    await dialog.getByLabel('Password', { exact: true }).fill('long enough');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: /^ben/ }).waitFor();
    const ben = await browser.person('ben');
    await ben.goto(base);
    await ben.getByLabel('Name', { exact: true }).fill('ben');
    await ben.getByLabel('Password', { exact: true }).fill('long enough');
    await ben.keyboard.press('Enter');
    await ben.getByRole('heading', { name: 'Table', level: 1, exact: true }).waitFor();
    check(await ben.getByRole('link', { name: 'Logs' }).count() === 0, 'an operator has no logs');
    await page.getByRole('button', { name: 'Remove ben' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove ben' }).click();
    await ben.getByRole('heading', { name: 'Sign in' }).waitFor(); // the stream ends with the person
    await ben.context().close();
    await page.getByRole('button', { name: 'Make a code' }).click();
    await page.locator('.code').waitFor();
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('printer');
    await page.getByRole('dialog').getByRole('button', { name: 'Make a key' }).click();
    await sees(page, 'Shown only this once');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('cell', { name: 'printer', exact: true }).waitFor();
}

// The messages of a new game come one after the other: a drawing meets a board that is not its own yet.
export async function a_board_without_places_has_a_frame({ page }) {
    const wrong = await page.evaluate(async () => {
        const found = [];
        for (const name of ['one_night', 'not_alone', 'battle_sheep', 'elfenland', 'alien_hunt', 'plain']) {
            for (const drawing of Object.values(await import(`/board/${name}.js`)))
                if (drawing.frame && !drawing.frame(new Map(), {}).box.every(Number.isFinite)) found.push(name);
        }
        return found;
    });
    same(wrong, [], 'drawings without a frame');
}

// One evening after the other, from a daemon nobody owns to a game looked back at.
import { accessible, check, open, picture, same, sees } from './lib.mjs';

const PASSWORD = 'correct horse';
const button = (page, name) => page.getByRole('button', { name, exact: true });

export async function first_run_by_pairing({ house, page, base }) {
    await page.goto(base);
    await sees(page, 'A new table');
    await accessible(page, 'first run');
    await picture(page, 'first-run');
    await page.getByLabel('Code', { exact: true }).fill('WRONG111');
    await page.getByLabel('Name', { exact: true }).fill('anna');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button(page, 'Take over the table').click();
    await sees(page, 'No code is open');
    const pairing = await house.local('POST', '/api/v1/pairing', { role: 'admin' });
    same(pairing.status, 201, 'a code at the machine itself');
    await page.getByLabel('Code', { exact: true }).fill(pairing.body.code);
    await button(page, 'Take over the table').click();
    await page.getByRole('heading', { name: 'Table', level: 1, exact: true }).waitFor();
    await sees(page, 'Live');
}

export async function out_and_in_again({ page }) {
    await button(page, 'Sign out').first().click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await accessible(page, 'sign in');
    await page.getByLabel('Name', { exact: true }).fill('anna');
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    await button(page, 'Sign in').click();
    await sees(page, 'Name or password is wrong.');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Table', level: 1, exact: true }).waitFor();
}

export async function a_deck_is_enrolled({ house, page, base }) {
    await open(page, base, 'enrol');
    await page.getByLabel('Deck').first().fill('own');
    await page.getByLabel('Starting point').selectOption('base_3');
    await button(page, 'Begin').click();
    await sees(page, 'Tile 1 of 13');
    await button(page, 'Lay the tile now').click();
    await sees(page, 'Lay it on a pad …');
    await button(page, 'Cancel').click();
    await button(page, 'Skip').and(page.locator(':enabled')).waitFor(); // rid of it within a moment
    for (let n = 1; n <= 3; n++) {
        await button(page, 'Lay the tile now').click();
        await sees(page, 'Lay it on a pad …');
        await house.put('main', 'tap', `045${n}0A5A1F6180`);
        await sees(page, `Tile ${n + 1} of 13`);
        await house.take('main', 'tap');
    }
    await button(page, 'Lay the tile now').click(); // a tag that is taken
    await sees(page, 'Lay it on a pad …');
    await house.put('main', 'tap', '04510A5A1F6180');
    await sees(page, 'This tag is taken');
    await picture(page, 'enrol-duplicate');
    await house.take('main', 'tap');
    await button(page, 'Take the last one back').click();
    await sees(page, 'Tile 3 of 13');
    for (let n = 3; n <= 13; n++) await button(page, 'Skip').click();
    await sees(page, 'The deck is complete');
    for (const deck of ['kit', 'meadow']) {
        await button(page, 'Import').first().click();
        await page.getByLabel('or its text').fill(await house.csv(deck));
        await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await page.getByLabel('Find').fill('own');
    await page.getByRole('cell', { name: 'own' }).first().waitFor();
    same(await page.getByRole('cell', { name: 'own', exact: true }).count(), 2, 'pieces of the own deck');
}

async function set_role(page, role, n) {
    const row = page.getByRole('group', { name: role, exact: true });
    for (let now = Number(await row.locator('output').textContent()); now !== n; now += now < n ? 1 : -1) await row.getByRole('button', { name: `${now < n ? 'More' : 'Less'}: ${role}` }).click();
}

export async function a_pad_that_is_touched_is_found({ house, page, base }) {
    await open(page, base, 'readers');
    await sees(page, 'Nothing touched yet.');
    await house.put('main', 'c2', 'seer');
    await sees(page, 'Last: c2');
    await page.locator('.padmap .plate-ring').waitFor();
    await page.locator('.padmap .pad-full').waitFor();
    await picture(page, 'pad-touched');
    await house.take('main', 'c2');
    await page.locator('.padmap .pad-full').waitFor({ state: 'detached' });
}

export async function a_game_is_set_up_and_started({ house, page, base }) {
    await open(page, base, 'new');
    await page.getByLabel('One Night').check();
    await page.getByLabel('Starting point').selectOption('base_5');
    await sees(page, 'Ready to start');
    await set_role(page, 'Werewolf', 1);
    await sees(page, 'Not like this'); // a card too few
    check(await button(page, 'Start the game').isDisabled(), 'an illegal set-up cannot be started');
    await picture(page, 'new-game-illegal');
    await set_role(page, 'Villager', 1);
    for (const role of ['Insomniac', 'Drunk', 'Minion']) await set_role(page, role, 1);
    await sees(page, 'Ready to start');
    await page.getByText('options', { exact: false }).first().click();
    await page.getByLabel('Ballot', { exact: true }).selectOption('tapped');
    await sees(page, '1 changed');
    await sees(page, '0 of 8 pads hold a tile');
    await house.put('main', 's1', 'seer');
    await sees(page, '1 of 8 pads hold a tile');
    await picture(page, 'new-game');
    const { board } = (await house.local('GET', '/api/v1/tables/main')).body;
    same(board.places.flatMap((place) => place.items), [], 'before a game nobody is told which tile it is');
    await house.take('main', 's1');
    await sees(page, '0 of 8 pads hold a tile');
    await button(page, 'Start the game').click();
    await page.getByRole('heading', { name: 'Table', level: 1, exact: true }).waitFor();
    await page.locator('.phase-name', { hasText: 'Dealing' }).waitFor();
}

const DEAL = { s1: 'werewolf-1', s2: 'seer', s3: 'robber', s4: 'troublemaker', s5: 'insomniac', c1: 'villager-1', c2: 'drunk', c3: 'minion' };

async function pair(house, browser, base, role, seat) {
    const made = await house.local('POST', '/api/v1/pairing', { role, ...(seat && { seat, table: 'main' }) });
    same(made.status, 201, `a code for ${role}`);
    const page = await browser.person(seat || role, seat ? { viewport: { width: 390, height: 800 } } : {});
    await page.goto(base);
    await button(page, 'I have a code').click();
    await page.getByLabel('Code', { exact: true }).fill(made.body.code);
    await page.getByLabel('Name', { exact: true }).fill(seat || role);
    await button(page, 'Pair this device').click();
    return page;
}

export async function the_night_is_watched_by_two({ house, page, base, browser, kept }) {
    kept.wall = await pair(house, browser, base, 'display');
    kept.phone = await pair(house, browser, base, 'seat', 's3');
    await kept.wall.getByRole('heading', { name: 'Dealing' }).waitFor();
    await kept.phone.getByRole('heading', { name: 'Seat 3' }).waitFor();
    for (const [pad, piece] of Object.entries(DEAL)) await house.put('main', pad, piece);
    for (const one of [page, kept.wall]) await one.waitForFunction(() => document.querySelectorAll('.board .tile').length === 8);
    const hands = house.night();
    hands.catch(() => {}); // told where it is waited for
    await button(page, 'Cards are dealt: begin').click();
    for (const one of [page, kept.wall]) await one.locator('.board.dark').waitFor();
    await page.locator('.phase-line', { hasText: /step \d+ of \d+/ }).waitFor();
    await sees(page, 'Eyes closed');
    check(await button(page, 'Next').isDisabled() && await button(page, 'Undo').isDisabled(), 'nothing is hurried in the dark');
    await picture(page, 'night');
    await picture(kept.wall, 'wall-night');
    await hands;
    await page.locator('.phase-name', { hasText: 'Day' }).waitFor({ timeout: 60000 });
    await kept.wall.getByRole('heading', { name: 'Day' }).waitFor();
    const clocks = await Promise.all([page, kept.wall].map((p) => p.locator('[role=timer]').first().textContent()));
    const seconds = clocks.map((c) => c.split(':').reduce((a, b) => a * 60 + Number(b), 0));
    check(Math.abs(seconds[0] - seconds[1]) <= 1 && seconds[0] > 0, `both count to the same end: ${clocks}`);
}

async function speaks(page, language) {
    await page.evaluate((to) => localStorage.setItem('tabled.language', to), language);
    await page.reload();
    await page.locator('h1').first().waitFor();
}

export async function a_seat_sees_its_own_and_only_held({ kept }) {
    const { phone } = kept;
    same(await phone.locator('.knows').count(), 0, 'blank at first');
    const hold = button(phone, 'Hold to look');
    const box = await hold.boundingBox();
    await phone.mouse.move(box.x + 20, box.y + 20);
    await phone.mouse.down();
    await phone.locator('.knows').getByText('Robber').first().waitFor();
    same(await phone.locator('.knows').getByText('Seer', { exact: true }).count(), 0, 'another seat’s card');
    await picture(phone, 'seat');
    await accessible(phone, 'seat page, shown');
    await phone.mouse.up();
    await phone.locator('.knows').waitFor({ state: 'detached', timeout: 8000 });
    await accessible(phone, 'seat page, blank');
    await hold.focus();
    await phone.keyboard.press('Enter');
    await phone.locator('.knows').waitFor();
    await button(phone, 'Hide').click();
    await phone.locator('.knows').waitFor({ state: 'detached' });
}

export async function a_violation_is_repaired({ house, page, base, kept }) {
    await house.swap('main', 's1', 's2');
    await page.getByText('Put it right like this:').first().waitFor();
    check(await page.locator('.board .ring').count() >= 2 && await page.locator('.board .arrow').count() >= 1, 'places and steps on the board');
    await page.locator('.repairs li').first().waitFor();
    await kept.wall.locator('.wall-wrong').waitFor();
    await accessible(page, 'a violation');
    await picture(page, 'violation');
    await picture(kept.wall, 'wall-violation');
    await speaks(kept.wall, 'zh'); // the daemon speaks English
    await kept.wall.locator('.wall-wrong', { hasText: /[\u4e00-\u9fff].*。/ }).waitFor();
    await picture(kept.wall, 'wall-violation-zh');
    await speaks(kept.wall, 'en');
    await kept.wall.locator('.wall-wrong').waitFor();
    await open(page, base, 'tables');
    await page.locator('.tables li').first().getByText('Something lies wrong').waitFor(); // before tables that are first by name
    await page.locator('.tables a', { hasText: 'meadow' }).getByText('No game').waitFor();
    await picture(page, 'tables-wrong');
    await page.evaluate(() => performance.clearResourceTimings()); // else full by now
    await page.waitForFunction(() => performance.getEntriesByType('resource').some((e) => e.name.endsWith('/tables/meadow') && e.transferSize < e.encodedBodySize)); // what has not changed is not sent again
    await page.locator('.tables a', { hasText: 'main' }).click();
    await page.getByText('Put it right like this:').first().waitFor();
    await house.swap('main', 's1', 's2');
    await page.getByText('Put it right like this:').waitFor({ state: 'detached' });
    await page.locator('.feed').getByText('put right').first().waitFor();
}

export async function the_daemon_is_killed_and_back({ house, page, kept }) {
    const lies = await house.lies('main'), attic = page.getByLabel('Which table').locator('option', { hasText: 'attic' });
    await attic.waitFor({ state: 'attached' });
    await house.kill(); // its configuration loses a table
    await sees(page, 'What you see is', { exact: false });
    await kept.wall.getByText('What you see is').waitFor();
    check(await page.evaluate(() => getComputedStyle(document.querySelector('.live-data')).filter !== 'none'), 'old news looks old');
    await accessible(page, 'stale');
    await picture(page, 'stale');
    await house.start('es'); // from now on the daemon speaks another language than the pages
    await house.restore('main', lies);
    await page.locator('.link.live').filter({ visible: true }).first().waitFor();
    await page.getByText('What you see is').waitFor({ state: 'detached' });
    await page.locator('.phase-name', { hasText: 'Paused' }).waitFor();
    await button(page, 'Go on').click();
    await page.locator('.phasebar:not(.paused)').waitFor();
    await page.locator('.phase-name', { hasText: 'Day' }).waitFor();
    await attic.waitFor({ state: 'detached' });
}

// The daemon speaks Spanish, this page English and the wall Italian: sentences and spoken lines alike.
export async function each_page_speaks_its_own_language({ house, page, kept }) {
    await speaks(kept.wall, 'it');
    await house.swap('main', 's1', 's2');
    await page.locator('.card.bad h2', { hasText: 'A piece lies in the wrong place.' }).waitFor();
    await kept.wall.locator('.wall-wrong', { hasText: 'Un pezzo è nel posto sbagliato.' }).waitFor();
    const told = (await house.local('GET', '/api/v1/tables/main/violations')).body.violations[0].text;
    check(/^Una pieza está en un sitio/.test(told), `the daemon says it in Spanish: ${told}`);
    await house.swap('main', 's1', 's2');
    await page.locator('.card.bad').waitFor({ state: 'detached' });
    await speaks(kept.wall, 'en');
}

export async function to_the_end_by_keyboard({ house, page }) {
    await button(page, 'Next').focus();
    await page.keyboard.press('Enter'); // the time is over
    await page.locator('.phase-name', { hasText: 'Vote' }).waitFor();
    await page.locator('.subtitles[lang=en]:not(.silent)').first().waitFor(); // said from the line's id: it came in Spanish
    await page.keyboard.press('Alt+p');
    await page.locator('.phasebar.paused').waitFor();
    await page.keyboard.press('Alt+p');
    await page.locator('.phasebar:not(.paused)').waitFor();
    for (const ballot of '13 23 31 43 51'.split(' ')) await house.tap('main', `number-${ballot[0]}`, `s${ballot[1]}`);
    await page.locator('.phase-name', { hasText: 'The game is over' }).waitFor({ timeout: 60000 });
    await sees(page, 'Victory: The village');
    await sees(page, 'What hands did');
    await picture(page, 'result');
}

export async function it_is_looked_back_at({ page, base }) {
    await open(page, base, 'timeline');
    await page.getByRole('link', { name: /One Night/ }).first().click();
    const scrubber = page.getByLabel('Moment of the game');
    await scrubber.waitFor();
    await sees(page, 'The whole truth');
    const last = Number(await scrubber.getAttribute('max'));
    check(last > 20, `many moments: ${last}`);
    const cards = () => page.locator('.board .tile.face').count();
    await scrubber.focus();
    await page.keyboard.press('Home');
    same(await cards(), 0, 'cards open at the beginning');
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.querySelectorAll('.board .tile.face').length >= 5);
    await page.locator('.truth').getByText('Robber').first().waitFor();
    const story = await page.locator('.story li').allInnerTexts();
    check(story.length > 3 && story.some((row) => row.includes('seat 3 as robber exchanged seat 1 and seat 3')), `the story, kept in Spanish: ${story.join(' | ')}`);
    same(story.filter((row) => /\w=\w|_|jugador/i.test(row)), [], 'the story as a machine writes it');
    await accessible(page, 'replay');
    await picture(page, 'replay');
}

export async function again_with_the_same_people({ page, base }) {
    await open(page, base, 'table');
    await button(page, 'Again, same people and set-up').click();
    await page.locator('.phase-name', { hasText: 'Dealing' }).waitFor();
    await button(page, 'End the game').click();
    await page.getByRole('dialog').getByRole('button', { name: 'End the game' }).click();
    await page.locator('.phase-name', { hasText: 'The game is over' }).waitFor();
}

const TILES = ['0,0', '2,0', '4,0', '6,0', '0,2', '2,2', '4,2', '6,2'];

export async function a_choice_is_answered({ house, page, base }) {
    await page.getByLabel('Which table').selectOption('meadow');
    await open(page, base, 'new');
    await page.getByLabel('Battle Sheep').check();
    await page.getByLabel('Starting point').selectOption('markers');
    await page.getByLabel('Confirm', { exact: true }).selectOption('still');
    await sees(page, 'Ready to start');
    await button(page, 'Start the game').click();
    await page.locator('.phase-name', { hasText: 'Laying the pasture' }).waitFor();
    for (const [i, at] of TILES.entries()) same((await house.local('POST', '/api/v1/tables/meadow/actions', { text: `s${1 + (i % 2)} tile at=hex.${at} turn=O0` })).status, 200, `tile at ${at}`);
    for (const [i, place] of ['hex.0,0', 'hex.6,0', 'hex.7,0', 'hex.7,3', 'hex.0,3'].entries()) await house.put('meadow', place, `tile-${i + 1}`);
    await page.locator('.phase-name', { hasText: 'Placing the flocks' }).waitFor();
    await house.put('meadow', 'hex.0,0', 'red-1');
    await page.locator('.seats .turn', { hasText: 'Blue' }).waitFor();
    await house.put('meadow', 'hex.7,3', 'blue-1');
    await page.locator('.phase-name', { hasText: 'Moving' }).waitFor();
    await house.put('meadow', 'hex.7,0', 'red-2');
    await page.getByRole('heading', { name: 'Which one was meant?' }).waitFor({ timeout: 30000 });
    await accessible(page, 'a choice');
    await picture(page, 'choice');
    await page.locator('.options .button').nth(4).click();
    await page.getByRole('heading', { name: 'Which one was meant?' }).waitFor({ state: 'detached' });
    await page.locator('.board .flock text', { hasText: /^5$/ }).first().waitFor();
    await page.getByLabel('Which table').selectOption('main');
}

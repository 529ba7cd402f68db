// All cases in their order, one browser, one house; a case named on the command line brings those it stands on.
import * as files from './files.mjs';
import * as evening from './evening.mjs';
import * as pages from './pages.mjs';
import fs from 'node:fs';
import path from 'node:path';
import { Browser, House, picture, WORK } from './lib.mjs';

const CASES = [
    files.languages_are_complete, files.every_sentence_is_there, files.vendored_files_are_unchanged, files.text_enters_as_text, files.a_timeline_folds_into_moments, files.a_page_says_what_a_narrator_says, files.sentences_find_their_way, files.every_kind_has_a_name, files.every_option_is_explained,
    evening.first_run_by_pairing, evening.out_and_in_again, pages.a_board_without_places_has_a_frame, evening.a_deck_is_enrolled, evening.a_pad_that_is_touched_is_found, evening.a_game_is_set_up_and_started, evening.the_night_is_watched_by_two,
    evening.a_seat_sees_its_own_and_only_held, evening.a_violation_is_repaired, evening.the_daemon_is_killed_and_back, evening.each_page_speaks_its_own_language, evening.to_the_end_by_keyboard,
    evening.it_is_looked_back_at, evening.again_with_the_same_people, evening.a_choice_is_answered, pages.a_set_up_begins_as_the_table_starts_it, pages.a_table_that_does_not_answer_is_asked_again, pages.computers_play_the_other_games,
    pages.a_person_and_a_key_come_and_go, pages.it_speaks_four_languages, pages.the_menu_of_a_phone_works_by_keyboard, pages.every_page_is_accessible,
];
const wanted = process.argv.slice(2);
const last = wanted.length ? Math.max(...wanted.map((name) => CASES.findIndex((one) => one.name === name))) : CASES.length - 1;

let passed = 0, failed = 0;
const house = new House();
let browser, page, context;
async function run(one) {
    const start = Date.now();
    try {
        await one(context);
        passed += 1;
        console.log(`ok ${one.name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
        failed += 1;
        console.log(`FAILED: ${one.name} (${((Date.now() - start) / 1000).toFixed(1)} s)\n    ${String(error.stack || error).split('\n').slice(0, 14).join('\n    ')}`);
        if (page) await picture(page, `failed-${one.name}`).catch(() => {});
    }
}

try {
    const { port } = await house.start();
    const base = `http://127.0.0.1:${port}`;
    browser = await Browser.open(base);
    page = await browser.person('anna');
    context = { house, browser, page, base, kept: {} };
    for (const one of CASES.slice(0, last + 1)) {
        await run(one);
        if (failed && process.env.WEB_STOP) break; // the first failure often explains the others
    }
    await run(async function no_page_complained() {
        if (browser.complaints.length) throw new Error(browser.complaints.slice(0, 5).join('\n'));
    });
    fs.writeFileSync(path.join(WORK, 'tabled.log'), await house.log());
} finally {
    if (browser) await browser.browser.close();
    await house.leave();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

// Tiles become pieces: one after the other is laid on any pad. Every step can be skipped, done again, or taken back.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { get, post, remove } from '../api.js';
import { countdown, t } from '../i18n.js';
import { attempt, isAdmin, toast, useStore } from '../store.js';
import { kindName, presetText } from '../words.js';
import { readCsv } from '../components/csv.js';
import { Badge, Button, Card, Confirm, Dialog, Empty, Field, Note, Page, Scroll, Select, Text, Waiting, download, useAsk, useTick } from '../components/ui.js';
import { Icon } from '../components/icons.js';

const WAIT_MS = 30000;
const SLICE_MS = 2000, BUSY_MS = 400;
const CONTROLS = ['start', 'done', 'undo', 'pause', 'repeat', 'yes', 'no', 'plus', 'minus', 'absent'];

// What a deck for this set-up has to have: [{ name, kind }], numbered where there are several of a kind.
export function listFor(game, preset) {
    const rows = [], count = {};
    const cards = preset?.cards?.length ? preset.cards : [];
    const total = {};
    for (const kind of cards) total[kind] = (total[kind] || 0) + 1;
    for (const kind of cards) {
        count[kind] = (count[kind] || 0) + 1;
        rows.push({ kind, name: `${kind.replace(/_/g, '-')}${total[kind] > 1 ? `-${count[kind]}` : ''}` });
    }
    if (!cards.length) for (const kind of game.kinds.filter((k) => !/^(token_|ballot_)/.test(k))) rows.push({ kind, name: kind.replace(/_/g, '-') });
    for (let i = 1; i <= (preset?.seats || game.seats_min); i++) if (game.kinds.includes(`token_${i}`)) rows.push({ kind: `token_${i}`, name: `number-${i}` });
    for (const name of CONTROLS.slice(0, 4)) rows.push({ kind: 'control', name });
    return rows;
}

// Waits for a tile in short requests, so that who gives up is rid of it soon. What is laid until then still counts.
async function waitForTile(path, body, giveUp) {
    const end = Date.now() + WAIT_MS;
    for (;;) {
        try {
            return await post(path, { ...body, wait_ms: SLICE_MS });
        } catch (error) {
            const nobody = error.status === 404, busy = error.status === 503;
            if (giveUp.now && nobody) return null;
            if ((!nobody && !busy) || Date.now() > end) throw error;
            if (busy) await new Promise((done) => setTimeout(done, BUSY_MS));
        }
    }
}

export function EnrolPage() {
    const { games, table } = useStore();
    const pieces = useAsk(() => get('pieces'), []);
    const [importing, setImporting] = useState(false);
    if (!isAdmin()) return html`<${Page} title=${t('nav.enrol')}><${Note}>${t('ui.notAllowed')}<//><//>`;
    const rows = pieces.data ? readCsv(pieces.data.text) : [];
    return html`<${Page} title=${t('nav.enrol')} lead=${t('enrol.lead')} actions=${html`
        <${Button} icon="up" onClick=${() => setImporting(true)}>${t('enrol.import')}<//>
        <${Button} icon="down" disabled=${!rows.length} onClick=${async () => { const answer = await get('pieces?tags=1'); download('tabled-pieces.csv', answer.text, 'text/csv'); }}>${t('ui.export')}<//>
        <${Button} icon="print" disabled=${!rows.length} onClick=${() => print()}>${t('enrol.print')}<//>`}>
        ${games && html`<${Wizard} games=${games} table=${table} rows=${rows} again=${pieces.again} />`}
        <${Card} title=${t('enrol.pieces')} icon="tag"><${Waiting} of=${pieces} /><${Decks} rows=${rows} again=${pieces.again} ready=${!!pieces.data} /><//>
        <${Import} open=${importing} close=${() => setImporting(false)} again=${pieces.again} />
    <//>`;
}

function Wizard({ games, table, rows, again }) {
    const [game, setGame] = useState(games[0].id), [preset, setPreset] = useState(games[0].presets[0]?.name || ''), [deck, setDeck] = useState(rows[0]?.deck || 'kit');
    const [plan, setPlan] = useState(null), [at, setAt] = useState(0), [busy, setBusy] = useState(0), [problem, setProblem] = useState(null), [stopping, setStopping] = useState(false);
    const stop = useRef(null);
    useTick(500, !!busy);
    const quit = () => { if (stop.current) stop.current.now = true; setStopping(true); };
    useEffect(() => () => { if (stop.current) stop.current.now = true; }, []);
    const chosen = games.find((g) => g.id === game);
    const known = (row) => rows.some((r) => r.deck === deck && r.name === row.name);
    const begin = () => {
        const list = listFor(chosen, chosen.presets.find((p) => p.name === preset));
        setPlan(list);
        setAt(Math.max(0, list.findIndex((row) => !known(row))));
        setProblem(null);
    };
    const lay = async () => {
        const giveUp = { now: false };
        stop.current = giveUp;
        setStopping(false);
        setBusy(Date.now());
        setProblem(null);
        try {
            if (await waitForTile(`tables/${table}/enrol`, { deck, name: plan[at].name, kind: plan[at].kind }, giveUp)) {
                toast(t('enrol.done', { name: plan[at].name }));
                again();
                setAt(at + 1);
            }
        } catch (error) {
            setProblem(error);
        }
        setBusy(0);
    };
    const back = () => attempt(async () => {
        const row = plan[at - 1];
        if (known(row)) await remove(`pieces/${deck}/${row.name}`);
        again();
        setAt(at - 1);
        setProblem(null);
    });
    const row = plan?.[at];
    return html`<${Card} title=${t('enrol.wizard')} icon="target" actions=${plan && html`<${Button} kind="small" icon="cross" disabled=${!!busy} onClick=${() => setPlan(null)}>${t('enrol.leave')}<//>`}>
        ${!plan ? html`<div class="grid-3"><${Select} label=${t('new.game')} value=${game} options=${games.map((g) => [g.id, g.title])} onChange=${(id) => { setGame(id); setPreset(games.find((g) => g.id === id).presets[0]?.name || ''); }} />
            <${Select} label=${t('new.preset')} value=${preset} options=${chosen.presets.map((p) => [p.name, presetText(p)])} onChange=${setPreset} />
            <${Text} label=${t('enrol.deck')} hint=${t('enrol.deckHint')} value=${deck} onInput=${(v) => setDeck(v.toLowerCase().replace(/[^a-z0-9-]/g, ''))} maxlength="32" /></div>
            <div class="row"><${Button} icon="play" kind="main-action" disabled=${!deck} onClick=${begin}>${t('enrol.begin')}<//></div>`
        : !row ? html`<${Empty} icon="check" title=${t('enrol.complete')}><p>${t('enrol.completeHint', { deck })}</p><//>`
        : html`<progress class="enrol-progress" max=${plan.length} value=${at} aria-label=${t('enrol.progress')}></progress>
            <div class="enrol-step" aria-live="polite"><span class="enrol-n">${t('enrol.step', { n: at + 1, of: plan.length })}</span>
                <p class="enrol-what">${row.kind === 'control' ? t('enrol.control', { name: row.name }) : kindName(row.kind)}</p><p class="muted mono">${deck}/${row.name}</p>
                ${known(row) && html`<${Badge} tone="good">${t('enrol.already')}<//>`}
                ${busy ? html`<p class="enrol-wait"><${Icon} name="target" size=${28} /> ${t('enrol.layNow')} <span class="num">${countdown(busy + WAIT_MS - Date.now())}</span></p>` : ''}</div>
            ${problem && html`<${Note} tone="bad" role="alert" title=${t(problem.code === 'exists' ? 'enrol.duplicate' : 'enrol.failed')}><p>${problem.message}</p><p>${t(problem.code === 'exists' ? 'enrol.duplicateHint' : 'enrol.failedHint')}</p><//>`}
            <div class="row">${busy ? html`<${Button} icon="cross" disabled=${stopping} onClick=${quit}>${stopping ? t('enrol.stopping') : t('ui.cancel')}<//>` : html`<button type="button" class="button main-action" onClick=${lay}><${Icon} name="target" /><span>${t('enrol.lay')}</span></button>`}
                <${Button} icon="next" disabled=${!!busy} onClick=${() => { setAt(at + 1); setProblem(null); }}>${t('enrol.skip')}<//>
                <${Button} icon="undo" disabled=${!!busy || at === 0} onClick=${back}>${t('enrol.back')}<//></div>`}
    <//>`;
}

function Decks({ rows, again, ready }) {
    const [find, setFind] = useState('');
    const pieces = [...new Map(rows.map((r) => [`${r.deck}/${r.name}`, r])).values()].filter((r) => !find || `${r.deck} ${r.name} ${r.kind}`.includes(find.toLowerCase()));
    if (ready && !rows.length) return html`<${Empty} icon="tag" title=${t('enrol.none')}><p>${t('enrol.noneHint')}</p><//>`;
    return html`<${Text} label=${t('ui.find')} value=${find} onInput=${setFind} />
        <${Scroll} label=${t('enrol.pieces')}><table class="list"><thead><tr><th>${t('enrol.deck')}</th><th>${t('enrol.name')}</th><th>${t('enrol.kind')}</th><th class="no-print"><span class="visually-hidden">${t('ui.actions')}</span></th></tr></thead>
            <tbody>${pieces.map((r) => html`<tr key=${`${r.deck}/${r.name}`}><td>${r.deck}</td><td><strong>${r.name}</strong></td><td>${kindName(r.kind)}</td>
                <td class="num no-print"><${Confirm} icon="trash" kind="small quiet" label=${t('enrol.remove', { name: r.name })} question=${t('enrol.removeAsk')} onYes=${() => attempt(async () => { await remove(`pieces/${r.deck}/${r.name}`); again(); })} /></td></tr>`)}</tbody></table><//>`;
}

function Import({ open, close, again }) {
    const [text, setText] = useState('');
    const send = () => attempt(async () => { await post('pieces/import', { text }); again(); close(); }, t('enrol.imported'));
    return html`<${Dialog} open=${open} title=${t('enrol.import')} onClose=${close}><p>${t('enrol.importHint')}</p>
        <${Field} label=${t('enrol.file')}>${(of) => html`<input ...${of} type="file" accept=".csv,text/csv" onChange=${async (e) => setText(await e.target.files[0]?.text() || '')} />`}<//>
        <${Field} label=${t('enrol.text')}>${(of) => html`<textarea ...${of} value=${text} placeholder="deck,name,kind,tag,face" onInput=${(e) => setText(e.target.value)}></textarea>`}<//>
        <div class="row end"><${Button} onClick=${close}>${t('ui.cancel')}<//><${Button} kind="main-action" icon="up" disabled=${!text.trim()} onClick=${send}>${t('enrol.import')}<//></div><//>`;
}

// A seat's own view on a phone. Blank by itself: it shows only while it is held, and for a few seconds after a tap.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { countdown, t } from '../i18n.js';
import { get } from '../api.js';
import { signOut, useStore } from '../store.js';
import { counterName, factName, kindName, phaseName, placeName, seatName, veilIcon } from '../words.js';
import { useRemaining } from '../components/phasebar.js';
import { ChoiceCard } from '../components/rulings.js';
import { StaleBanner } from '../components/link.js';
import { Outcome } from '../components/seats.js';
import { Subtitles } from '../components/subtitles.js';
import { Icon } from '../components/icons.js';
import { Button, Card } from '../components/ui.js';
import { useAwake } from './spectator.js';

const SHOWN_MS = 5000;

// Held: shown. Tapped or pressed by key: shown for a while. Looked away from: gone at once.
function useVeil() {
    const [until, setUntil] = useState(0), [held, setHeld] = useState(false), [, tick] = useState(0);
    const timer = useRef();
    useEffect(() => {
        const hide = () => { setHeld(false); setUntil(0); };
        const away = () => document.visibilityState !== 'visible' && hide();
        document.addEventListener('visibilitychange', away);
        addEventListener('blur', hide);
        return () => { document.removeEventListener('visibilitychange', away); removeEventListener('blur', hide); };
    }, []);
    const stay = () => {
        setUntil(Date.now() + SHOWN_MS);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => tick((n) => n + 1), SHOWN_MS + 30);
    };
    return {
        shown: held || until > Date.now(),
        hide: () => { setHeld(false); setUntil(0); },
        hold: { onPointerDown: () => setHeld(true), onPointerUp: () => { setHeld(false); stay(); }, onPointerCancel: () => { setHeld(false); stay(); }, onPointerLeave: () => { if (held) { setHeld(false); stay(); } }, onContextMenu: (e) => e.preventDefault(),
            onClick: (e) => { if (e.detail === 0) stay(); } },
    };
}

export function SeatPage() {
    const { session, view, table } = useStore();
    const veil = useVeil(), [own, setOwn] = useState(null);
    useAwake();
    const { phase, game, seats, result } = view;
    const rest = useRemaining(phase), seat = session.seat;
    useEffect(() => { document.title = `${seatName(seat)} · tabled`; }, [seat]);
    useEffect(() => {
        if (!veil.shown || !seat) return;
        get(`tables/${table}/seats/${seat}/view`).then(setOwn, () => setOwn(null));
    }, [veil.shown, view.board?.header.seq, view.phase?.n]);
    useEffect(() => { if (!veil.shown) setOwn(null); }, [veil.shown]);
    const state = seats?.seats.find((s) => s.seat === seat), over = game?.status === 'ended';
    const choice = view.violation?.choices.find((c) => c.by === seat);
    return html`<main class=${`seat-page ${phase?.veil || ''}`} id="main"><${StaleBanner} />
        <header class="seat-head"><span class="seat-no big" aria-hidden="true">${seat.slice(1)}</span><div class="grow"><h1>${seatName(seat, seats)}</h1><p class="muted">${game?.title || t('table.idle')}</p></div>
            <${Button} kind="quiet" icon="leave" label=${t('nav.signOut')} onClick=${signOut} /></header>
        <section class="seat-phase live-data" aria-live="polite"><${Icon} name=${over ? 'check' : veilIcon[phase?.veil] || 'table'} size=${40} /><div class="grow"><p class="phase-name">${over ? t('phase.ended') : phase?.paused ? t('phase.paused') : phaseName(phase?.id)}</p>
            <p>${phase?.turn?.includes(seat) ? t('seatpage.yourTurn') : state?.acted ? t('seats.acted') : t('seatpage.wait')}</p></div>${rest.ms !== null && !over && html`<span class="clock">${countdown(rest.ms)}</span>`}</section>
        <${Outcome} result=${result} seats=${seats} />
        ${choice && html`<${ChoiceCard} choice=${choice} mine=${true} />`}
        <section class=${`secret-box ${veil.shown ? 'shown' : ''}`} aria-label=${t('seatpage.own')}>
            ${veil.shown ? html`<${Knows} own=${own} seat=${seat} /><div class="row"><${Button} icon="eye" onClick=${veil.hide}>${t('seatpage.hide')}<//></div>` : html`<div class="blank" aria-hidden="true"><${Icon} name="eye" size=${48} /></div>`}
            <button type="button" class="button main-action hold" ...${veil.hold} aria-pressed=${String(veil.shown)}><${Icon} name="eye" size=${28} /><span>${t('seatpage.hold')}</span></button>
            <p class="hint">${t('seatpage.hint')}</p>
        </section>
        <${Subtitles} />
    </main>`;
}

function Knows({ own, seat }) {
    if (!own) return html`<p class="waiting">${t('ui.loading')}</p>`;
    const cards = own.board.places.filter((p) => p.seat === seat && p.items.some((i) => i.kind));
    const counters = own.seats.counters.filter((c) => c.seat === seat);
    return html`<div class="knows">
        ${cards.map((p) => html`<div class="knows-card"><span class="muted">${placeName(p.name)}</span><strong>${p.items.map((i) => `${i.n > 1 ? `${i.n} × ` : ''}${kindName(i.kind)}`).join(', ')}</strong></div>`)}
        ${own.facts.map((f) => html`<div class="knows-card"><span class="muted">${factName(f.key)}${f.seat && f.seat !== seat ? ` · ${seatName(f.seat, own.seats)}` : ''}${f.place ? ` · ${placeName(f.place)}` : ''}</span><strong>${f.kind ? kindName(f.kind) : f.value}</strong></div>`)}
        ${counters.length > 0 && html`<p class="seat-counters">${counters.map((c) => html`<span>${counterName(c.name)} <b>${c.value}</b></span>`)}</p>`}
        ${!cards.length && !own.facts.length && html`<${Card}><p>${t('seatpage.nothing')}</p><//>`}</div>`;
}

// The wall: readable from three metres, no controls, comes back by itself after anything.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { countdown, t } from '../i18n.js';
import { said } from '../said.js';
import { useStore } from '../store.js';
import { phaseName, repairText, seatName, veilIcon, veilName } from '../words.js';
import { Board } from '../board/index.js';
import { useRemaining } from '../components/phasebar.js';
import { Subtitles } from '../components/subtitles.js';
import { Outcome } from '../components/seats.js';
import { StaleBanner } from '../components/link.js';
import { Icon } from '../components/icons.js';

// Keeps the screen on while the page is looked at.
export function useAwake() {
    useEffect(() => {
        let lock = null;
        const ask = () => document.visibilityState === 'visible' && navigator.wakeLock?.request('screen').then((l) => { lock = l; }, () => {});
        ask();
        document.addEventListener('visibilitychange', ask);
        return () => { document.removeEventListener('visibilitychange', ask); lock?.release(); };
    }, []);
}

export function SpectatorPage() {
    const { view, session } = useStore();
    const { phase, game, seats, violation, result } = view;
    const rest = useRemaining(phase);
    const [bar, setBar] = useState(true);
    const timer = useRef();
    useAwake();
    useEffect(() => { document.title = `${t('nav.spectator')} · tabled`; }, []);
    useEffect(() => {
        const show = () => { setBar(true); clearTimeout(timer.current); timer.current = setTimeout(() => setBar(false), 4000); };
        show();
        const kinds = ['pointermove', 'keydown', 'focusin'];
        kinds.forEach((kind) => addEventListener(kind, show));
        return () => { clearTimeout(timer.current); kinds.forEach((kind) => removeEventListener(kind, show)); };
    }, []);
    const over = game?.status === 'ended';
    return html`<main class=${`wall ${phase?.veil || ''}`} id="main"><${StaleBanner} />
        <header class="wall-head live-data">
            <span class="wall-sign"><${Icon} name=${over ? 'check' : phase?.paused ? 'pause' : veilIcon[phase?.veil] || 'table'} size=${72} /></span>
            <div class="grow" aria-live="polite"><h1>${!game?.game ? t('table.idle') : over ? t('phase.ended') : phase?.paused ? t('phase.paused') : phaseName(phase?.id)}</h1>
                <p>${game?.game ? `${game.title}${phase?.round ? ` · ${t('phase.round', { n: phase.round })}` : ''} ${over ? '' : ` · ${veilName(phase?.veil)}`}` : t('wall.idle')}</p></div>
            ${rest.ms !== null && !over && html`<span class=${`wall-clock ${rest.ms < 10000 && rest.running && phase.veil !== 'dark' ? 'soon' : ''}`} role="timer">${countdown(rest.ms)}</span>`}
        </header>
        <div class="wall-body live-data">
            <${Board} view=${view} />
            <div class="wall-side">
                <${Outcome} result=${result} seats=${seats} />
                ${phase?.turn?.length > 0 && !over && html`<p class="wall-turn"><${Icon} name="play" size=${32} /> ${phase.turn.map((s) => seatName(s, seats)).join(', ')}</p>`}
                ${(violation?.violations || []).map((v) => html`<div class="wall-wrong" role="alert"><p><${Icon} name="warn" size=${36} /> ${said(v.text)}</p><ol>${v.repairs.map((r) => html`<li>${repairText(r)}</li>`)}</ol></div>`)}
                ${violation?.violations.length === 0 && violation.prompt.length > 0 && html`<div class="wall-wrong prompt"><ol>${violation.prompt.map((r) => html`<li>${repairText(r)}</li>`)}</ol></div>`}
                ${violation?.choices.length > 0 && html`<div class="wall-wrong prompt"><p><${Icon} name="scale" size=${36} /> ${t('choice.title')}</p></div>`}
            </div>
        </div>
        <${Subtitles} large=${true} />
        <nav class=${`wall-bar ${bar ? '' : 'away'}`} aria-label=${t('nav.title')}><button type="button" class="button" onClick=${() => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen())}><${Icon} name="screen" /><span>${t('wall.full')}</span></button>
            ${session?.role !== 'display' && html`<a class="button" href="#/table"><${Icon} name="table" /><span>${t('nav.table')}</span></a>`}</nav>
    </main>`;
}

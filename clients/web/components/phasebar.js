// Where the game stands and how long it stays there. The countdown runs by the daemon's clock.
import { html } from '../vendor/htm-preact.js';
import { countdown, t } from '../i18n.js';
import { left } from '../clock.js';
import { said } from '../said.js';
import { gameTitle, phaseName, reasonName, seatName, veilIcon, veilName } from '../words.js';
import { Icon } from './icons.js';
import { Badge, useTick } from './ui.js';

export function useRemaining(phase) {
    const running = !!phase?.deadline && !phase.paused;
    useTick(250, running);
    const ms = phase?.deadline ? left(phase.deadline) : null;
    const whole = phase?.deadline ? Date.parse(phase.deadline) - Date.parse(phase.starts_at) : 0;
    return { ms: ms === null ? null : Math.max(0, ms), share: whole > 0 && ms !== null ? Math.min(1, Math.max(0, ms / whole)) : 0, running };
}

export function PhaseBar({ view, compact }) {
    const { phase, game, seats, result } = view;
    const rest = useRemaining(phase);
    if (!game?.game) return html`<section class="phasebar idle" aria-label=${t('phase.now')}><${Icon} name="table" size=${30} /><div><p class="phase-name">${t('table.idle')}</p></div></section>`;
    const over = game.status === 'ended' || result?.over;
    return html`<section class=${`phasebar ${phase.veil} ${phase.paused ? 'paused' : ''}`} aria-label=${t('phase.now')}>
        <span class="phase-sign"><${Icon} name=${over ? 'check' : phase.paused ? 'pause' : veilIcon[phase.veil] || 'clock'} size=${30} /></span>
        <div class="phase-text" aria-live="polite">
            <p class="phase-over">${gameTitle(game.game, [{ id: game.game, title: game.title }])}${phase.round > 0 ? ` · ${t('phase.round', { n: phase.round })}` : ''}</p>
            <p class="phase-name">${over ? t('phase.ended') : phaseName(phase.id)}${phase.paused && !over ? html` <${Badge} tone="warn" icon="pause">${t('phase.paused')}${phase.pause_reason ? `: ${reasonName(phase.pause_reason)}` : ''}<//>` : ''}</p>
            ${!compact && !over && html`<p class="phase-line">${veilName(phase.veil)}${phase.steps > 0 ? ` · ${t('phase.step', { n: phase.step_index + 1, of: phase.steps })}` : ''}${phase.turn.length ? ` · ${t('phase.turn', { who: phase.turn.map((s) => seatName(s, seats)).join(', ') })}` : ''}</p>`}
            ${over && result?.reason && html`<p class="phase-line">${said(result.reason)}</p>`}
        </div>
        ${rest.ms !== null && !over && html`<div class="phase-clock"><span class=${`clock ${rest.ms < 10000 && rest.running && phase.veil !== 'dark' ? 'soon' : ''}`} role="timer">${countdown(rest.ms)}</span>
            <progress max="1" value=${rest.share} aria-label=${t('phase.left')}></progress></div>`}
    </section>`;
}

// Who sits where, and how it is with them.
import { html } from '../vendor/htm-preact.js';
import { t } from '../i18n.js';
import { said } from '../said.js';
import { counterName, roleName, seatName, teamName } from '../words.js';
import { Icon } from './icons.js';
import { Badge } from './ui.js';

export function Seats({ view }) {
    const { seats, phase, result } = view;
    if (!seats?.seats.length) return html`<p class="muted">${t('seats.none')}</p>`;
    const counters = seats.counters.filter((c) => !c.seat && !/^origin/.test(c.name) && (c.value || !/^(west|passes|lap)$/.test(c.name)));
    return html`<ul class="seats">${seats.seats.map((row) => {
        const turn = phase?.turn?.includes(row.seat), end = result?.over ? result.seats.find((s) => s.seat === row.seat) : null;
        const own = seats.counters.filter((c) => c.seat === row.seat);
        return html`<li key=${row.seat} class=${turn ? 'turn' : ''}>
            <span class="seat-no" aria-hidden="true">${row.seat.slice(1)}</span>
            <div class="seat-text"><p class="seat-name">${seatName(row.seat, seats)}${end?.role ? html` · <strong>${roleName(end.role)}</strong>` : ''}</p>
                ${own.length > 0 && html`<p class="seat-counters">${own.map((c) => html`<span key=${c.name}>${counterName(c.name)} <b>${c.value}</b></span>`)}</p>`}</div>
            <div class="seat-badges">
                ${turn && html`<${Badge} tone="warn" icon="play">${t('seats.turn')}<//>`}
                ${row.acted && !end && html`<${Badge} tone="good">${t('seats.acted')}<//>`}
                ${!row.present && html`<${Badge} icon="leave">${t('seats.away')}<//>`}
                ${(end ? end.dead : !row.alive) && html`<${Badge} tone="bad" icon="cross">${t('seats.out')}<//>`}
                ${end?.won && html`<${Badge} tone="good" icon="check">${t('seats.won')}<//>`}
                ${end && result.seats.some((s) => s.score > 1) ? html`<${Badge}>${t('seats.points', { n: end.score })}<//>` : ''}
            </div></li>`;
    })}</ul>
    ${counters.length > 0 && html`<p class="seat-counters table-counters">${counters.map((c) => html`<span key=${c.name}>${counterName(c.name)} <b>${c.value}</b></span>`)}</p>`}`;
}

export function Outcome({ result, seats }) {
    if (!result?.over) return null;
    const teams = result.teams.filter((team) => team.won), winners = result.seats.filter((s) => s.won);
    return html`<div class="outcome"><${Icon} name="check" size=${28} /><div>
        <p class="outcome-who">${teams.length ? t('outcome.teams', { who: teams.map((team) => teamName(team.name)).join(', ') }) : winners.length ? t('outcome.seats', { who: winners.map((s) => seatName(s.seat, seats)).join(', ') }) : t('outcome.nobody')}</p>
        ${result.reason && html`<p>${said(result.reason)}</p>`}</div></div>`;
}

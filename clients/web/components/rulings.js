// What the table cannot go on without: what lies wrong and how to put it right, and what only people can decide.
import { html, useState } from '../vendor/htm-preact.js';
import { clockTime, t } from '../i18n.js';
import { attempt, control, mayRun, state as store } from '../store.js';
import { said } from '../said.js';
import { actionText, differing, placeName, repairText, seatName } from '../words.js';
import { Button, Card, Dialog, Text } from './ui.js';

export function Repairs({ repairs }) {
    if (!repairs.length) return null;
    return html`<ol class="repairs">${repairs.map((repair, i) => html`<li><span class="repair-no" aria-hidden="true">${i + 1}</span><span>${repairText(repair)}</span></li>`)}</ol>`;
}

export function ViolationCard({ violation }) {
    const [open, setOpen] = useState(false), [reason, setReason] = useState('');
    const forgive = () => attempt(() => control('override', { violation: violation.id, ...(reason ? { reason } : {}) }), t('violation.forgiven'));
    return html`<${Card} tone="bad" icon="warn" title=${said(violation.text) || t('violation.title')}>
        <p><strong>${t('violation.where')}</strong> ${violation.places.map(placeName).join(', ') || '–'} <span class="muted">· ${t('violation.since', { at: clockTime(violation.since) })}</span> <code>${violation.rule}</code></p>
        ${violation.repairs.length > 0 && html`<p class="repair-lead">${t('violation.repair')}</p>`}
        <${Repairs} repairs=${violation.repairs} />
        ${mayRun() && html`<div class="row"><${Button} kind="small" icon="scale" onClick=${() => setOpen(true)}>${t('violation.forgive')}<//></div>
            <${Dialog} open=${open} title=${t('violation.forgive')} onClose=${() => setOpen(false)}>
                <p>${t('violation.forgiveText')}</p>
                <${Text} label=${t('ui.reason')} value=${reason} onInput=${setReason} maxlength="120" />
                <div class="row end"><${Button} onClick=${() => setOpen(false)}>${t('ui.cancel')}<//><${Button} kind="danger" icon="scale" onClick=${async () => { if (await forgive()) setOpen(false); }}>${t('violation.forgive')}<//></div>
            <//>`}
    <//>`;
}

export function ChoiceCard({ choice, mine }) {
    const answer = (option) => attempt(() => control('choose', { choice: choice.id, option }), t('choice.done'));
    const allowed = mine || mayRun(), only = choice.options.length > 1 ? differing(choice.options) : null;
    return html`<${Card} tone="warn" icon="scale" title=${t('choice.title')}>
        <p>${t('choice.text', { who: seatName(choice.by, store.view.seats) || t('choice.somebody') })}</p>
        ${only && html`<p><strong>${actionText({ ...choice.options[0], args: Object.fromEntries(Object.entries(choice.options[0].args).filter(([name]) => !only.includes(name))) })}</strong></p>`}
        ${choice.options.length ? html`<div class=${`options ${only && choice.options.length > 4 ? 'many' : ''}`}>${choice.options.map((option, i) => html`<${Button} key=${i} disabled=${!allowed} onClick=${() => answer(i)}>${!only && html`<span class="option-no">${i + 1}</span> `}${actionText(option, only || undefined)}<//>`)}</div>`
            : html`<p class="muted">${t('choice.secret')}</p>`}
    <//>`;
}

export function Rulings({ view }) {
    const of = view.violation;
    if (!of) return null;
    return html`<div class="rulings" aria-live="assertive">
        ${of.violations.map((violation) => html`<${ViolationCard} key=${`v${violation.id}`} violation=${violation} />`)}
        ${of.choices.map((choice) => html`<${ChoiceCard} key=${`c${choice.id}`} choice=${choice} />`)}
        ${of.prompt.length > 0 && html`<${Card} tone="info" icon="target" title=${t('prompt.title')}><p>${t('prompt.text')}</p><${Repairs} repairs=${of.prompt} /><//>`}
    </div>`;
}

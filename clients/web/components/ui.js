// The building blocks of every page.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { t } from '../i18n.js';
import { dismiss, useStore } from '../store.js';
import { Icon } from './icons.js';

export function Page({ title, lead, actions, children, wide }) {
    const heading = useRef();
    useEffect(() => {
        document.title = `${title} · tabled`;
    }, [title]);
    return html`<div class=${`page ${wide ? 'wide' : ''}`}>
        <header class="page-head">
            <div><h1 ref=${heading} tabindex="-1">${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>
            ${actions && html`<div class="row">${actions}</div>`}
        </header>
        ${children}
    </div>`;
}

export function Card({ title, icon, tone = '', actions, children, id, level = 2 }) {
    const Heading = `h${level}`;
    return html`<section class=${`card ${tone}`} id=${id}>
        ${title && html`<header class="card-head">
            ${icon && html`<${Icon} name=${icon} />`}<${Heading}>${title}<//><div class="grow"></div>${actions}
        </header>`}
        ${children}
    </section>`;
}

// A button that waits for what it started.
export function Button({ icon, children, onClick, kind = '', disabled, type = 'button', label, pressed, expanded }) {
    const [busy, setBusy] = useState(false);
    const alive = useRef(true);
    useEffect(() => () => { alive.current = false; }, []);
    const click = async (event) => {
        const answer = onClick && onClick(event);
        if (!answer || !answer.then) return;
        setBusy(true);
        try {
            await answer;
        } finally {
            if (alive.current) setBusy(false);
        }
    };
    return html`<button type=${type} class=${`button ${kind} ${children ? '' : 'only-icon'}`} disabled=${disabled || busy} aria-busy=${busy ? 'true' : undefined}
        aria-label=${label} title=${children ? undefined : label} aria-pressed=${pressed === undefined ? undefined : String(pressed)}
        aria-expanded=${expanded === undefined ? undefined : String(expanded)} onClick=${click}>
        ${icon && html`<${Icon} name=${icon} />`}${children && html`<span>${children}</span>`}
    </button>`;
}

let fieldId = 0;
export function useId(stem = 'f') {
    const id = useRef('');
    if (!id.current) id.current = `${stem}${++fieldId}`;
    return id.current;
}

// A label, its control (a function of the id) and what helps to fill it in.
export function Field({ label, hint, error, children, inline }) {
    const id = useId();
    const help = hint || error ? `${id}-help` : undefined;
    return html`<div class=${`field ${inline ? 'inline' : ''} ${error ? 'wrong' : ''}`}>
        <label for=${id}>${label}</label>
        ${children({ id, 'aria-describedby': help, 'aria-invalid': error ? 'true' : undefined })}
        ${(hint || error) && html`<p class="hint" id=${help}>${error && html`<${Icon} name="warn" size=${16} />`}${error || hint}</p>`}
    </div>`;
}

export function Text({ label, hint, error, value, onInput, ...rest }) {
    return html`<${Field} label=${label} hint=${hint} error=${error}>${(of) => html`<input ...${of} type="text" value=${value}
        onInput=${(e) => onInput(e.target.value)} ...${rest} />`}<//>`;
}

export function Select({ label, hint, value, options, onChange, inline }) {
    return html`<${Field} label=${label} hint=${hint} inline=${inline}>${(of) => html`<select ...${of} value=${value} onChange=${(e) => onChange(e.target.value)}>
        ${options.map(([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`)}
    </select>`}<//>`;
}

// One of a few: radio buttons that look like one bar.
export function Choice({ label, value, options, onChange }) {
    const name = useId('r');
    return html`<fieldset class="choice"><legend>${label}</legend><div class="choice-bar">
        ${options.map(([key, text, icon]) => html`<label class=${key === value ? 'on' : ''}>
            <input type="radio" name=${name} value=${key} checked=${key === value} onChange=${() => onChange(key)} />
            ${icon && html`<${Icon} name=${icon} size=${18} />`}<span>${text}</span>
        </label>`)}
    </div></fieldset>`;
}

export function Check({ label, checked, onChange, hint }) {
    return html`<label class="check"><input type="checkbox" checked=${checked} onChange=${(e) => onChange(e.target.checked)} />
        <span>${label}${hint && html`<small>${hint}</small>`}</span></label>`;
}

export function Stepper({ label, value, min, max, onChange }) {
    const id = useId('n');
    const set = (to) => onChange(Math.max(min, Math.min(max, to)));
    return html`<div class="stepper" role="group" aria-labelledby=${id}>
        <span class="stepper-label" id=${id}>${label}</span>
        <${Button} icon="minus" label=${t('ui.less', { what: label })} disabled=${value <= min} onClick=${() => set(value - 1)} />
        <output aria-live="polite">${value}</output>
        <${Button} icon="plus" label=${t('ui.more', { what: label })} disabled=${value >= max} onClick=${() => set(value + 1)} />
    </div>`;
}

const toneIcons = { good: 'check', bad: 'warn', warn: 'warn', info: 'info', quiet: 'info' };
export function Badge({ tone = 'quiet', icon, children }) {
    return html`<span class=${`badge ${tone}`}><${Icon} name=${icon || toneIcons[tone]} size=${16} />${children}</span>`;
}

export function Note({ tone = 'info', title, children, role }) {
    return html`<div class=${`note ${tone}`} role=${role}><${Icon} name=${toneIcons[tone]} /><div>${title && html`<strong>${title}</strong>`}${children}</div></div>`;
}

export function Empty({ icon = 'info', title, children }) {
    return html`<div class="empty"><${Icon} name=${icon} size=${36} /><p class="empty-title">${title}</p>${children}</div>`;
}

// Wide content moves sideways inside its frame; the frame can be reached by keyboard.
export function Scroll({ label, children }) {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>${children}</div>`;
}

export function Dialog({ open, title, onClose, children }) {
    const ref = useRef();
    useEffect(() => {
        const dialog = ref.current;
        if (open && !dialog.open) dialog.showModal();
        if (!open && dialog.open) dialog.close();
    }, [open]);
    return html`<dialog ref=${ref} class="dialog" aria-label=${title} onClose=${onClose} onClick=${(e) => e.target === ref.current && onClose()}>
        ${open && html`<div class="dialog-body"><header class="card-head"><h2>${title}</h2><div class="grow"></div>
            <${Button} icon="cross" label=${t('ui.close')} kind="quiet" onClick=${onClose} /></header>${children}</div>`}
    </dialog>`;
}

// A button whose deed is asked about first.
export function Confirm({ icon, kind = '', label, question, yes, onYes, disabled, children }) {
    const [open, setOpen] = useState(false);
    return html`<${Button} icon=${icon} kind=${kind} disabled=${disabled} onClick=${() => setOpen(true)} label=${children ? undefined : label}>${children}<//>
        <${Dialog} open=${open} title=${label} onClose=${() => setOpen(false)}>
            <p>${question}</p>
            <div class="row end"><${Button} onClick=${() => setOpen(false)}>${t('ui.cancel')}<//>
            <${Button} kind="danger" icon=${icon} onClick=${async () => { setOpen(false); await onYes(); }}>${yes || label}<//></div>
        <//>`;
}

export function Toasts() {
    const { toasts } = useStore();
    return html`<div class="toasts" role="status" aria-live="polite">
        ${toasts.map((one) => html`<div key=${one.id} class=${`toast ${one.kind}`}><${Icon} name=${toneIcons[one.kind]} /><span>${one.text}</span>
            <button type="button" class="toast-close" aria-label=${t('ui.close')} onClick=${() => dismiss(one.id)}><${Icon} name="cross" size=${16} /></button></div>`)}
    </div>`;
}

// Asks once for something a page needs: { data, problem, again }.
export function useAsk(ask, watch = []) {
    const [answer, set] = useState({ data: null, problem: null });
    const [round, again] = useState(0);
    useEffect(() => {
        let here = true;
        Promise.resolve().then(ask).then((data) => here && set({ data, problem: null }), (problem) => here && set((was) => ({ data: was.data, problem })));
        return () => { here = false; };
    }, [...watch, round]);
    return { ...answer, again: () => again((n) => n + 1) };
}

// What to show while an answer is not there, or never will be.
export function Waiting({ of }) {
    if (of.data) return null;
    if (!of.problem) return html`<p class="waiting" role="status">${t('ui.loading')}</p>`;
    const missing = of.problem.status === 404 || of.problem.status === 405;
    return html`<${Note} tone=${missing ? 'info' : 'bad'} title=${missing ? t('ui.notThere') : t('ui.problem')}>
        <p>${missing ? t('ui.notThereHint') : of.problem.message}</p><${Button} icon="repeat" onClick=${of.again}>${t('ui.again')}<//>
    <//>`;
}

// Draws again every `ms`, for what runs by the clock.
export function useTick(ms, on = true) {
    const [, draw] = useState(0);
    useEffect(() => {
        if (!on) return undefined;
        const timer = setInterval(() => draw((n) => n + 1), ms);
        return () => clearInterval(timer);
    }, [ms, on]);
}

export function download(name, text, type = 'text/plain') {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

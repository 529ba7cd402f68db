// How fresh what is shown is.
import { html } from '../vendor/htm-preact.js';
import { duration, t } from '../i18n.js';
import { staleSince, useStore } from '../store.js';
import { Icon } from './icons.js';
import { useTick } from './ui.js';

const icons = { live: 'check', lost: 'cross', gone: 'cross', connecting: 'repeat', idle: 'info' };

export function LinkState() {
    const { link } = useStore();
    return html`<span class=${`link ${link.state}`} role="status"><${Icon} name=${icons[link.state]} size=${18} />${t(`link.${link.state}`)}</span>`;
}

export function StaleBanner() {
    useStore();
    useTick(1000);
    const since = staleSince();
    document.documentElement.classList.toggle('stale', !!since);
    if (!since) return null;
    return html`<div class="banner" role="alert"><${Icon} name="warn" /><span>${t('link.stale', { age: duration(Date.now() - since) })}</span></div>`;
}

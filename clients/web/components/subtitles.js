// What is spoken, in writing: lines appear when the voice says them.
import { html, useEffect, useState } from '../vendor/htm-preact.js';
import { t } from '../i18n.js';
import { now } from '../clock.js';
import { spoken } from '../said.js';
import { useStore } from '../store.js';
import { Icon } from './icons.js';

const SHOWN_MS = 20000;

export function useLine() {
    const { narration, view } = useStore();
    const [, tick] = useState(0);
    useEffect(() => {
        if (!narration) return undefined;
        const timers = narration.lines.map((line) => setTimeout(() => tick((n) => n + 1), Math.max(0, startOf(narration) + line.at_ms - now() + 20)));
        timers.push(setTimeout(() => tick((n) => n + 1), SHOWN_MS + 50));
        return () => timers.forEach(clearTimeout);
    }, [narration]);
    if (!narration) return null;
    const said = narration.lines.filter((line) => startOf(narration) + line.at_ms <= now() + 30);
    const last = said[said.length - 1];
    if (!last || Date.now() - narration.heard > SHOWN_MS) return null;
    return spoken(last, view.game?.game, narration.locale);
}

const startOf = (narration) => Date.parse(narration.starts_at || narration.header.at);

export function Subtitles({ large }) {
    const line = useLine();
    return html`<p class=${`subtitles ${large ? 'large' : ''} ${line ? '' : 'silent'}`} aria-live="polite" lang=${line?.lang || undefined}>
        <${Icon} name="speaker" size=${large ? 34 : 20} /><span>${line ? line.text : t('sound.silent')}</span></p>`;
}

// What the room hears and sees: spoken lines as they come, a preview by this device's voice, the light of the moment.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { get } from '../api.js';
import { t } from '../i18n.js';
import { attempt, control, isAdmin, mayRun, useStore } from '../store.js';
import { phaseName, seatName } from '../words.js';
import { useLine } from '../components/subtitles.js';
import { Icon } from '../components/icons.js';
import { Button, Card, Check, Field, Note, Page, Select, Scroll, useAsk } from '../components/ui.js';

const TAGS = { en: 'en-GB', es: 'es-ES', it: 'it-IT', zh: 'zh-CN' };

function useVoices() {
    const [voices, set] = useState([]);
    useEffect(() => {
        const speech = window.speechSynthesis;
        if (!speech) return undefined;
        const read = () => set(speech.getVoices());
        read();
        speech.addEventListener('voiceschanged', read);
        return () => speech.removeEventListener('voiceschanged', read);
    }, []);
    return voices;
}

export function SoundPage() {
    const { view, narration } = useStore();
    const line = useLine(), voices = useVoices();
    const [aloud, setAloud] = useState(false), [voice, setVoice] = useState(''), [volume, setVolume] = useState(0.8);
    const heard = useRef([]);
    const settings = useAsk(() => (isAdmin() ? get('settings', { quiet: true }) : null), []);
    const say = (text, lang) => {
        const one = new SpeechSynthesisUtterance(text);
        one.lang = TAGS[lang] || lang || 'en-GB';
        one.voice = voices.find((v) => v.name === voice) || null;
        one.volume = volume;
        speechSynthesis.speak(one);
    };
    useEffect(() => {
        if (!line) return;
        if (heard.current[0]?.text !== line.text) heard.current = [{ ...line, at: Date.now() }, ...heard.current].slice(0, 30);
        if (aloud) say(line.text, line.lang);
    }, [line?.text, narration]);
    const rows = (settings.data?.settings || []).filter((s) => s.section === 'lamp' || s.section === 'voice' || /locale|night_pace/.test(s.key));
    return html`<${Page} title=${t('nav.sound')} lead=${t('sound.lead')}>
        <div class="grid-2">
            <${Card} title=${t('sound.voice')} icon="speaker">
                <p class=${`subtitles ${line ? '' : 'silent'}`} lang=${line?.lang}><${Icon} name="speaker" /><span>${line ? line.text : t('sound.silent')}</span></p>
                <div class="row">${mayRun() && html`<${Button} icon="repeat" disabled=${view.game?.status !== 'running'} onClick=${() => attempt(() => control('repeat'), t('control.repeatDone'))}>${t('control.repeat')}<//>`}</div>
                <h3>${t('sound.preview')}</h3>
                ${voices.length ? html`<${Check} label=${t('sound.aloud')} hint=${t('sound.aloudHint')} checked=${aloud} onChange=${setAloud} />
                    <${Select} label=${t('sound.which')} value=${voice} options=${[['', t('sound.default')], ...voices.map((v) => [v.name, `${v.name} (${v.lang})`])]} onChange=${setVoice} />` : html`<${Note}>${t('sound.noVoice')}<//>`}
                <${Field} label=${t('sound.volume')}>${(of) => html`<input ...${of} type="range" min="0" max="1" step="0.05" value=${volume} onInput=${(e) => setVolume(Number(e.target.value))} />`}<//>
                <div class="row"><${Button} icon="play" disabled=${!voices.length} onClick=${() => say(t('sound.sample'), document.documentElement.lang)}>${t('sound.test')}<//></div>
            <//>
            <${Card} title=${t('light.title')} icon="lamp"><${Scene} view=${view} /><p class="hint">${t('light.hint')}</p><//>
        </div>
        <${Card} title=${t('sound.heard')} icon="list">${heard.current.length ? html`<ul class="heard">${heard.current.map((h) => html`<li lang=${h.lang}>“${h.text}”</li>`)}</ul>` : html`<p class="muted">${t('sound.nothing')}</p>`}<//>
        ${rows.length > 0 && html`<${Card} title=${t('sound.devices')} icon="gear"><${Scroll} label=${t('sound.devices')}><table class="list"><thead><tr><th>${t('settings.section')}</th><th>${t('settings.key')}</th><th>${t('settings.value')}</th></tr></thead>
            <tbody>${rows.map((s) => html`<tr><td>${s.section} ${s.name}</td><td class="mono">${s.key}</td><td class="mono">${s.value}</td></tr>`)}</tbody></table><//><//>`}
    <//>`;
}

// The lamps follow the public view; what they show now, drawn.
function Scene({ view }) {
    const { phase, violation, game } = view;
    const wrong = violation?.violations.length > 0, over = game?.status === 'ended';
    const scene = wrong ? 'wrong' : over ? 'end' : !game?.game ? 'idle' : phase?.paused ? 'paused' : phase?.veil || 'idle';
    return html`<div class=${`scene ${scene}`}><span class="scene-lamp" aria-hidden="true"><${Icon} name="lamp" size=${64} /></span>
        <div><p class="scene-name">${t(`light.${['wrong', 'end', 'idle', 'paused', 'open', 'sealed', 'dark'].includes(scene) ? scene : 'idle'}`)}</p>
        <p>${!game?.game ? t('table.idle') : over ? t('phase.ended') : phaseName(phase?.id)}${phase?.turn?.length ? ` · ${phase.turn.map((s) => seatName(s, view.seats)).join(', ')}` : ''}</p></div></div>`;
}

// The daemon's own words, newest below; level, text, pause, clear, download on one page.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { get } from '../api.js';
import { clockTime, t } from '../i18n.js';
import { isAdmin } from '../store.js';
import { Badge, Button, Card, Choice, Note, Page, Text, download } from '../components/ui.js';

const LEVELS = ['error', 'warning', 'info', 'debug'], KEPT = 2000, EVERY_MS = 2000;
const tones = { error: 'bad', warning: 'warn', info: 'info', debug: 'quiet' };

export function LogsPage() {
    const [level, setLevel] = useState('info'), [find, setFind] = useState(''), [paused, setPaused] = useState(false);
    const [lines, setLines] = useState([]), [problem, setProblem] = useState(null), [from, setFrom] = useState(0);
    const next = useRef(''), box = useRef();
    useEffect(() => {
        next.current = '';
        setLines([]);
    }, [level]);
    useEffect(() => {
        if (paused || !isAdmin()) return undefined;
        let here = true;
        const read = async () => {
            try {
                const answer = await get(`logs?${new URLSearchParams({ level, limit: '200', ...(next.current && { after: next.current }) })}`);
                if (!here) return;
                const last = answer.lines[answer.lines.length - 1];
                next.current = String(answer.next || last?.n || next.current);
                setLines((was) => [...was, ...answer.lines.filter((l) => !was.length || l.n > was[was.length - 1].n)].slice(-KEPT));
                setProblem(null);
            } catch (error) {
                if (here) setProblem(error);
            }
        };
        read();
        const timer = setInterval(read, EVERY_MS);
        return () => { here = false; clearInterval(timer); };
    }, [level, paused]);
    const shown = lines.filter((l) => l.n > from && (!find || l.text.toLowerCase().includes(find.toLowerCase())));
    useEffect(() => {
        if (!paused && box.current) box.current.scrollTop = box.current.scrollHeight;
    }, [shown.length, paused]);
    if (!isAdmin()) return html`<${Page} title=${t('nav.logs')}><${Note}>${t('ui.notAllowed')}<//><//>`;
    return html`<${Page} title=${t('nav.logs')} lead=${t('logs.lead')} wide=${true}>
        <${Card}><div class="row logs-tools"><${Choice} label=${t('logs.level')} value=${level} onChange=${setLevel} options=${LEVELS.map((l) => [l, t(`logs.${l}`)])} />
            <div class="grow"><${Text} label=${t('ui.find')} value=${find} onInput=${setFind} /></div>
            <${Button} icon=${paused ? 'play' : 'pause'} pressed=${paused} onClick=${() => setPaused(!paused)}>${paused ? t('logs.go') : t('logs.pause')}<//>
            <${Button} icon="trash" onClick=${() => setFrom(lines.length ? lines[lines.length - 1].n : 0)}>${t('logs.clear')}<//>
            <${Button} icon="down" disabled=${!shown.length} onClick=${() => download('tabled.log', shown.map((l) => `${l.at} ${l.level} ${l.text}`).join('\n'))}>${t('ui.download')}<//></div>
            ${problem && html`<${Note} tone="bad" title=${t('ui.problem')}>${problem.message}<//>`}
            <ol class="log" ref=${box} tabindex="0" aria-label=${t('nav.logs')}>${shown.map((l) => html`<li key=${l.n} class=${l.level}><time datetime=${l.at}>${clockTime(l.at)}</time><${Badge} tone=${tones[l.level] || 'quiet'}>${LEVELS.includes(l.level) ? t(`logs.${l.level}`) : l.level}<//><span>${l.text}</span></li>`)}
                ${!shown.length && html`<li class="muted">${t('logs.none')}</li>`}</ol><//>
    <//>`;
}

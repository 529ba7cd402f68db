// The door: claim a new table with a code from the machine itself, pair a phone, sign in.
import { html, useState } from '../vendor/htm-preact.js';
import { post } from '../api.js';
import { t } from '../i18n.js';
import { askInfo, signedIn, useStore } from '../store.js';
import { go } from '../router.js';
import { Appearance } from './settings.js';
import { Password } from './people.js';
import { Button, Card, Note, Text } from '../components/ui.js';

export function WelcomePage() {
    const { info, unknown } = useStore();
    const first = info && info.claimed === false;
    const [pairing, setPairing] = useState(false);
    return html`<main class="welcome" id="main">
        <div class="welcome-hero"><img src="/assets/icon.svg" alt="" width="84" height="84" /><h1>tabled</h1><p>${t('welcome.what')}</p></div>
        <div class="welcome-card">
            ${unknown === 'offline' && html`<${Note} tone="bad" role="alert" title=${t('link.gone')}><p>${t('welcome.offline')}</p><${Button} icon="repeat" onClick=${askInfo}>${t('ui.again')}<//><//>`}
            ${unknown === '401' && html`<${Note} tone="warn" role="alert">${t('welcome.over')}<//>`}
            ${info?.insecure && html`<${Note} tone="warn" title=${t('about.insecure')}>${t('about.insecureHint')}<//>`}
            ${first || pairing ? html`<${Pair} first=${first} back=${first ? null : () => setPairing(false)} />` : html`<${SignIn} pair=${() => setPairing(true)} />`}
            <${Appearance} />
        </div>
    </main>`;
}

async function enter(session) {
    go(session.role === 'seat' ? '/seat' : session.role === 'display' ? '/spectator' : '/table');
    await signedIn(session);
    askInfo();
}

const wait = (problem) => (problem.status === 429 ? t('welcome.wait', { s: problem.retryAfter || 12 }) : problem.message);

function SignIn({ pair }) {
    const [name, setName] = useState(''), [password, setPassword] = useState(''), [problem, setProblem] = useState('');
    const send = async (event) => {
        event.preventDefault();
        setProblem('');
        try {
            await enter(await post('session', { name, password }, { quiet: true }));
        } catch (error) {
            setProblem(error.status === 401 ? t('welcome.wrong') : wait(error));
        }
    };
    return html`<${Card} title=${t('welcome.signIn')} icon="key"><form class="stack" onSubmit=${send}>
        <${Text} label=${t('people.name')} value=${name} onInput=${setName} autocomplete="username" autocapitalize="none" maxlength="32" required />
        <${Password} label=${t('people.password')} value=${password} onInput=${setPassword} error=${problem} />
        <div class="row"><${Button} type="submit" icon="key" kind="main-action">${t('welcome.enter')}<//><${Button} kind="quiet" icon="phone" onClick=${pair}>${t('welcome.haveCode')}<//></div>
    </form><//>`;
}

function Pair({ first, back }) {
    const [code, setCode] = useState(''), [name, setName] = useState(''), [password, setPassword] = useState(''), [problem, setProblem] = useState('');
    const send = async (event) => {
        event.preventDefault();
        setProblem('');
        try {
            await enter(await post('pairing/claim', { code: code.trim(), name: name || 'phone', ...(password && { password }) }, { quiet: true }));
        } catch (error) {
            setProblem({ 403: t('welcome.wrongCode'), 409: t('welcome.noCode') }[error.status] || wait(error));
        }
    };
    return html`<${Card} title=${first ? t('welcome.first') : t('welcome.pair')} icon="phone"><p>${first ? t('welcome.firstHint') : t('welcome.pairHint')}</p>
        ${first && html`<pre class="command"><code>tablectl pair --role admin</code></pre>`}
        <form class="stack" onSubmit=${send}>
            <${Text} label=${t('welcome.code')} value=${code} onInput=${setCode} error=${problem} autocomplete="one-time-code" autocapitalize="characters" spellcheck=${false} maxlength="12" required />
            <${Text} label=${t('people.name')} hint=${t('people.nameHint')} value=${name} onInput=${(v) => setName(v.toLowerCase())} autocomplete="username" autocapitalize="none" maxlength="32" />
            <${Password} fresh=${true} label=${t('people.password')} hint=${first ? t('people.passwordHint') : t('welcome.passwordMaybe')} value=${password} onInput=${setPassword} />
            <div class="row"><${Button} type="submit" icon="check" kind="main-action" disabled=${!code || (first && (!name || password.length < 8))}>${first ? t('welcome.claim') : t('welcome.pairNow')}<//>
                ${back && html`<${Button} kind="quiet" onClick=${back}>${t('welcome.toSignIn')}<//>`}</div>
        </form><//>`;
}

// The frame: who is there, which page, which table.
import { html, render, useEffect, useState } from './vendor/htm-preact.js';
import { current, t, whenLanguageChanges } from './i18n.js';
import { learn } from './said.js';
import { apply } from './theme.js';
import { attempt, begin, control, isAdmin, mayRun, signOut, state, useStore, watch } from './store.js';
import { go, useRoute } from './router.js';
import { Icon } from './components/icons.js';
import { LinkState, StaleBanner } from './components/link.js';
import { Button, Select, Toasts } from './components/ui.js';
import { AboutPage } from './pages/about.js';
import { EnrolPage } from './pages/enrol.js';
import { LogsPage } from './pages/logs.js';
import { NewGamePage } from './pages/newgame.js';
import { PeoplePage } from './pages/people.js';
import { ReadersPage } from './pages/readers.js';
import { SeatPage } from './pages/seat.js';
import { SettingsPage } from './pages/settings.js';
import { SoundPage } from './pages/sound.js';
import { SpectatorPage } from './pages/spectator.js';
import { StatsPage } from './pages/stats.js';
import { TablePage } from './pages/table.js';
import { TablesPage } from './pages/tables.js';
import { TimelinePage } from './pages/timeline.js';
import { ViolationsPage } from './pages/violations.js';
import { WelcomePage } from './pages/welcome.js';

const PAGES = {
    table: { icon: 'table', page: TablePage, group: 'play' },
    new: { icon: 'dice', page: NewGamePage, group: 'play', when: mayRun },
    timeline: { icon: 'film', page: TimelinePage, group: 'play' },
    violations: { icon: 'warn', page: ViolationsPage, group: 'play' },
    tables: { icon: 'tables', page: TablesPage, group: 'play', when: () => state.tables.length > 1 },
    readers: { icon: 'chip', page: ReadersPage, group: 'things' },
    enrol: { icon: 'tag', page: EnrolPage, group: 'things', when: isAdmin },
    sound: { icon: 'lamp', page: SoundPage, group: 'things' },
    stats: { icon: 'chart', page: StatsPage, group: 'house' },
    logs: { icon: 'list', page: LogsPage, group: 'house', when: isAdmin },
    people: { icon: 'users', page: PeoplePage, group: 'house', when: isAdmin },
    settings: { icon: 'gear', page: SettingsPage, group: 'house' },
    about: { icon: 'info', page: AboutPage, group: 'house' },
};
const visible = () => Object.entries(PAGES).filter(([, p]) => !p.when || p.when());

function Nav({ here, close }) {
    const { view } = useStore();
    const wrong = view.violation?.violations.length || 0;
    return html`<nav class="nav" aria-label=${t('nav.title')}>${['play', 'things', 'house'].map((group) => html`<div key=${group}><p class="nav-title">${t(`nav.${group}`)}</p><ul>
        ${visible().filter(([, p]) => p.group === group).map(([name, p]) => html`<li key=${name}><a href=${`#/${name}`} aria-current=${here === name ? 'page' : undefined} onClick=${close}><${Icon} name=${p.icon} /><span>${t(`nav.${name}`)}</span>
            ${name === 'violations' && wrong > 0 && html`<span class="count">${wrong}<span class="visually-hidden"> ${t('violation.open')}</span></span>`}</a></li>`)}</ul></div>`)}</nav>`;
}

function Tables() {
    const { tables, table } = useStore();
    if (tables.length < 2) return null;
    return html`<${Select} label=${t('nav.whichTable')} value=${table} onChange=${watch} options=${tables.map((x) => [x.table, x.table])} />`;
}

// Alt and a number: a page; Alt and P: pause or go on.
function useKeys() {
    const { view } = useStore();
    useEffect(() => {
        const press = (event) => {
            if (!event.altKey || event.ctrlKey || event.metaKey) return;
            const page = /^Digit[1-9]$/.test(event.code) && visible()[Number(event.code.slice(5)) - 1];
            if (page) go(`/${page[0]}`);
            else if (event.code === 'KeyP' && mayRun() && view.game?.status === 'running') attempt(() => control(view.phase?.paused ? 'resume' : 'pause'));
            else return;
            event.preventDefault();
        };
        addEventListener('keydown', press);
        return () => removeEventListener('keydown', press);
    }, [view]);
}

function Shell({ parts }) {
    const { session } = useStore();
    const [open, setOpen] = useState(false);
    const name = PAGES[parts[0]] && (!PAGES[parts[0]].when || PAGES[parts[0]].when()) ? parts[0] : 'table';
    const Body = PAGES[name].page;
    useKeys();
    useEffect(() => {
        document.querySelector('h1')?.focus({ preventScroll: true });
        scrollTo(0, 0);
    }, [name, parts[1]]);
    useEffect(() => {
        const escape = (event) => event.key === 'Escape' && setOpen(false);
        addEventListener('keydown', escape);
        return () => removeEventListener('keydown', escape);
    }, []);
    return html`<a class="skip" href="#main" onClick=${(e) => { e.preventDefault(); document.querySelector('h1')?.focus(); }}>${t('nav.skip')}</a>
        <header class="topbar"><${Button} kind="quiet" icon="menu" label=${t('nav.open')} expanded=${open} onClick=${() => setOpen(!open)} /><span class="where">${t(`nav.${name}`)}</span><div class="grow"></div><${LinkState} /></header>
        <div class="shell"><button type="button" class=${`shade ${open ? 'open' : ''}`} tabindex="-1" aria-label=${t('ui.close')} onClick=${() => setOpen(false)}></button>
            <aside class=${`side ${open ? 'open' : ''}`} aria-label=${t('nav.sidebar')}><a class="brand" href="#/table" onClick=${() => setOpen(false)}><img src="/assets/icon.svg" alt="" /><span>tabled</span></a>
                <${Tables} /><${Nav} here=${name} close=${() => setOpen(false)} />
                <div class="side-foot"><${LinkState} /><span><strong>${session.user}</strong> <span class="muted">${t(`role.${session.role}`)}</span></span><${Button} kind="small" icon="leave" onClick=${signOut}>${t('nav.signOut')}<//></div></aside>
            <div><${StaleBanner} /><main class="main" id="main"><${Body} key=${name} id=${parts[1]} /></main></div></div>`;
}

function App() {
    const { ready, session } = useStore();
    const { parts } = useRoute();
    const [, draw] = useState(0);
    useEffect(() => whenLanguageChanges(() => learn(current()).then(() => draw((n) => n + 1))), []);
    if (!ready) return html`<p class="starting" role="status">tabled …</p>`;
    const page = !session ? html`<${WelcomePage} />` : session.role === 'seat' ? html`<${SeatPage} />`
        : parts[0] === 'spectator' || (session.role === 'display' && !parts.length) ? html`<${SpectatorPage} />` : html`<${Shell} parts=${parts} />`;
    return html`${page}<${Toasts} />`;
}

apply();
begin();
render(html`<${App} />`, document.getElementById('app'));

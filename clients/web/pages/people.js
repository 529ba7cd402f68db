// Who may come in: people with passwords, browsers that are signed in, keys for programs, a phone paired by a code.
import { html, useState } from '../vendor/htm-preact.js';
import { get, patch, post, remove } from '../api.js';
import { countdown, dateTime, t } from '../i18n.js';
import { attempt, isAdmin, useStore } from '../store.js';
import { seatName } from '../words.js';
import { Badge, Button, Card, Confirm, Dialog, Field, Note, Page, Scroll, Select, Text, Waiting, useAsk, useTick } from '../components/ui.js';

const HERE_ALONE = /^(localhost|127\..*|\[::1\])$/; // what another device would take for itself
const ROLES = ['admin', 'operator', 'display', 'seat'];
const roleText = (role, seat) => (seat ? seatName(seat) : t(`role.${role}`)); // whoever has a seat plays it

export function PeoplePage() {
    if (!isAdmin()) return html`<${Page} title=${t('nav.people')}><${Note}>${t('ui.notAllowed')}<//><//>`;
    return html`<${Page} title=${t('nav.people')} lead=${t('people.lead')}>
        <${Pairing} /><div class="grid-2"><${Users} /><${Sessions} /></div><${Tokens} />
    <//>`;
}

export function Password({ label, value, onInput, fresh, hint, error }) {
    return html`<${Field} label=${label} hint=${hint} error=${error}>${(of) => html`<input ...${of} type="password" autocomplete=${fresh ? 'new-password' : 'current-password'} value=${value} maxlength="128" onInput=${(e) => onInput(e.target.value)} />`}<//>`;
}

function RoleFields({ role, setRole, seat, setSeat, roles = ROLES }) {
    return html`<${Select} label=${t('people.role')} value=${role} onChange=${setRole} options=${roles.map((r) => [r, t(`role.${r}`)])} />
        ${role === 'seat' && html`<${Select} label=${t('people.seat')} value=${seat} onChange=${setSeat} options=${Array.from({ length: 16 }, (_, i) => [`s${i + 1}`, t('seat.n', { n: i + 1 })])} />`}`;
}

function Pairing() {
    const { table } = useStore();
    const [role, setRole] = useState('seat'), [seat, setSeat] = useState('s1'), [code, setCode] = useState(null);
    useTick(1000, !!code);
    const left = code ? Date.parse(code.expires_at) - Date.now() : 0;
    const make = () => attempt(async () => setCode(await post('pairing', { role, ...(role === 'seat' && { seat, table }) })));
    return html`<${Card} title=${t('people.pair')} icon="phone"><p class="muted">${t('people.pairHint', { address: location.origin })}${HERE_ALONE.test(location.hostname) && html`<br />${t('people.pairLocal')}`}</p>
        <div class="grid-3"><${RoleFields} role=${role} setRole=${setRole} seat=${seat} setSeat=${setSeat} />
            <div class="row bottom"><${Button} icon="phone" kind="main-action" onClick=${make}>${t('people.makeCode')}<//></div></div>
        ${code && html`<div class="code-box" aria-live="polite">${left > 0 ? html`<p class="code">${code.code}</p><p>${t('people.codeLeft', { left: countdown(left) })}</p>` : html`<p>${t('people.codeOver')}</p>`}</div>`}
    <//>`;
}

function Users() {
    const ask = useAsk(() => get('users'), []);
    const [edit, setEdit] = useState(null);
    const save = () => attempt(async () => {
        if (edit.fresh) await post('users', { name: edit.name, password: edit.password, role: edit.role });
        else await patch(`users/${edit.name}`, { role: edit.role, ...(edit.password && { password: edit.password }) });
        setEdit(null);
        ask.again();
    }, t('people.saved'));
    return html`<${Card} title=${t('people.users')} icon="users" actions=${html`<${Button} kind="small" icon="plus" onClick=${() => setEdit({ fresh: true, name: '', password: '', role: 'operator' })}>${t('people.addUser')}<//>`}>
        <${Waiting} of=${ask} />
        ${ask.data && html`<${Scroll} label=${t('people.users')}><table class="list cards" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader">${t('people.name')}</th><th role="columnheader">${t('people.role')}</th><th role="columnheader"><span class="visually-hidden">${t('ui.actions')}</span></th></tr></thead><tbody role="rowgroup">${ask.data.users.map((u) => html`<tr key=${u.name} role="row"><td role="cell"><strong>${u.name}</strong><br /><small>${dateTime(u.created_at)}</small></td><td role="cell" data-label=${t('people.role')}>${roleText(u.role)}</td>
            <td role="cell" class="num act"><${Button} kind="small quiet" icon="gear" label=${t('people.edit', { name: u.name })} onClick=${() => setEdit({ ...u, password: '' })} /><${Confirm} kind="small quiet" icon="trash" label=${t('people.remove', { name: u.name })} question=${t('people.removeAsk')} onYes=${() => attempt(async () => { await remove(`users/${u.name}`); ask.again(); })} /></td></tr>`)}</tbody></table><//>`}
        <${Dialog} open=${!!edit} title=${edit?.fresh ? t('people.addUser') : t('people.edit', { name: edit?.name || '' })} onClose=${() => setEdit(null)}>${edit && html`
            ${edit.fresh && html`<${Text} label=${t('people.name')} hint=${t('people.nameHint')} value=${edit.name} onInput=${(name) => setEdit({ ...edit, name: name.toLowerCase() })} maxlength="32" autocomplete="off" />`}
            <${RoleFields} role=${edit.role} setRole=${(role) => setEdit({ ...edit, role })} roles=${['admin', 'operator', 'display']} />
            <${Password} fresh=${true} label=${t('people.password')} hint=${edit.fresh ? t('people.passwordHint') : t('people.passwordKeep')} value=${edit.password} onInput=${(password) => setEdit({ ...edit, password })} />
            <div class="row end"><${Button} onClick=${() => setEdit(null)}>${t('ui.cancel')}<//><${Button} kind="main-action" icon="check" disabled=${edit.fresh && (!edit.name || edit.password.length < 8)} onClick=${save}>${t('ui.save')}<//></div>`}<//>
    <//>`;
}

function Sessions() {
    const ask = useAsk(() => get('sessions'), []);
    return html`<${Card} title=${t('people.sessions')} icon="screen" actions=${html`<${Button} kind="small" icon="repeat" onClick=${ask.again}>${t('ui.refresh')}<//>`}><${Waiting} of=${ask} />
        ${ask.data && html`<ul class="rows">${ask.data.sessions.map((s) => html`<li key=${s.id}><div class="grow"><strong>${s.user || roleText(s.role, s.seat)}</strong> ${s.current && html`<${Badge} tone="good">${t('people.thisOne')}<//>`}<br /><small>${[s.user && roleText(s.role, s.seat), s.table, s.address, t('people.seen', { at: dateTime(s.seen_at) })].filter(Boolean).join(' · ')}</small></div>
            <${Confirm} kind="small quiet" icon="leave" label=${t('people.endSession', { name: s.user || roleText(s.role, s.seat) })} question=${t('people.endSessionAsk')} onYes=${() => attempt(async () => { await remove(`sessions/${s.id}`); ask.again(); })} /></li>`)}</ul>`}<//>`;
}

function Tokens() {
    const ask = useAsk(() => get('tokens'), []);
    const { table } = useStore();
    const [open, setOpen] = useState(false), [name, setName] = useState(''), [role, setRole] = useState('display'), [seat, setSeat] = useState('s1'), [made, setMade] = useState(null);
    const make = () => attempt(async () => {
        setMade(await post('tokens', { name, role, ...(role === 'seat' && { seat, table }) }));
        ask.again();
    });
    const close = () => { setOpen(false); setMade(null); setName(''); };
    return html`<${Card} title=${t('people.tokens')} icon="key" actions=${html`<${Button} kind="small" icon="plus" onClick=${() => setOpen(true)}>${t('people.addToken')}<//>`}><p class="muted">${t('people.tokensHint')}</p><${Waiting} of=${ask} />
        ${ask.data && html`<${Scroll} label=${t('people.tokens')}><table class="list cards" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader">${t('people.name')}</th><th role="columnheader">${t('people.role')}</th><th role="columnheader">${t('nav.table')}</th><th role="columnheader">${t('people.made')}</th><th role="columnheader"><span class="visually-hidden">${t('ui.actions')}</span></th></tr></thead><tbody role="rowgroup">${ask.data.tokens.map((k) => html`<tr key=${k.id} role="row"><td role="cell"><strong>${k.name}</strong></td><td role="cell" data-label=${t('people.role')}>${roleText(k.role, k.seat)}</td><td role="cell" data-label=${t('nav.table')}>${k.table || t('stats.allTables')}</td><td role="cell" data-label=${t('people.made')}>${dateTime(k.created_at)}</td>
            <td role="cell" class="num act"><${Confirm} kind="small quiet" icon="trash" label=${t('people.remove', { name: k.name })} question=${t('people.removeTokenAsk')} onYes=${() => attempt(async () => { await remove(`tokens/${k.id}`); ask.again(); })} /></td></tr>`)}</tbody></table><//>`}
        <${Dialog} open=${open} title=${t('people.addToken')} onClose=${close}>${made ? html`<${Note} tone="warn" title=${t('people.tokenOnce')}><code class="secret">${made.token}</code><//><div class="row end">${navigator.clipboard && html`<${Button} icon="check" onClick=${() => attempt(() => navigator.clipboard.writeText(made.token), t('people.copied'))}>${t('people.copy')}<//>`}<${Button} kind="main-action" onClick=${close}>${t('ui.close')}<//></div>`
            : html`<${Text} label=${t('people.name')} value=${name} onInput=${setName} maxlength="32" /><${RoleFields} role=${role} setRole=${setRole} seat=${seat} setSeat=${setSeat} roles=${[...ROLES, 'metrics']} />
            <div class="row end"><${Button} onClick=${close}>${t('ui.cancel')}<//><${Button} kind="main-action" icon="key" disabled=${!name} onClick=${make}>${t('people.addToken')}<//></div>`}<//>
    <//>`;
}

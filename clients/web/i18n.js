// Sentences in four languages. A key that is missing shows itself; tests/web keeps the files complete.
import en from './lang/en.js';
import es from './lang/es.js';
import it from './lang/it.js';
import zh from './lang/zh.js';

export const languages = { en, es, it, zh };
export const languageNames = { en: 'English', es: 'Español', it: 'Italiano', zh: '中文' };

let language = pick();
let listener = () => {};

function pick() {
    const kept = localStorage.getItem('tabled.language');
    if (languages[kept]) return kept;
    const wanted = navigator.languages.map((l) => l.slice(0, 2).toLowerCase());
    return wanted.find((l) => languages[l]) || 'en';
}

export const current = () => language;

export function setLanguage(to) {
    language = languages[to] ? to : 'en';
    localStorage.setItem('tabled.language', language);
    document.documentElement.lang = language;
    listener();
}

export function whenLanguageChanges(handler) {
    listener = handler;
}

export const has = (key) => key in languages[language];

// t('seat.n', { n: 3 }) -> "Seat 3"
export function t(key, values) {
    const text = languages[language][key] ?? en[key] ?? key;
    return values ? text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all)) : text;
}

// The device's own variant of the language, for its way to write times.
const locale = () => navigator.languages.find((l) => l.startsWith(language)) || (language === 'zh' ? 'zh-CN' : language);

export const number = (value, digits = 0) => new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value);
export const percent = (value) => new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(value);
export const clockTime = (at) => (at ? new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(at)) : '');
export const dateTime = (at) => (at ? new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at)) : '');

// "4 min 05 s"; countdowns are drawn as 4:05 elsewhere.
export function duration(ms) {
    const s = Math.max(0, Math.round(ms / 1000)), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
    if (h) return t('time.hours', { h, m: String(m).padStart(2, '0') });
    return m ? t('time.minutes', { m, s: String(s % 60).padStart(2, '0') }) : t('time.seconds', { s });
}
export function countdown(ms) {
    const s = Math.max(0, Math.ceil(ms / 1000));
    return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
}

document.documentElement.lang = language;

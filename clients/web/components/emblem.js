// A small drawing for each game.
import { html } from '../vendor/htm-preact.js';

const drawings = {
    one_night: html`<circle cx="32" cy="32" r="26" fill="#26305c" /><path d="M40 40a15 15 0 1 1-14-23 12 12 0 0 0 14 23z" fill="#f4d58a" /><circle cx="44" cy="20" r="2" fill="#f4d58a" /><circle cx="20" cy="46" r="1.500" fill="#f4d58a" />`,
    not_alone: html`<circle cx="32" cy="32" r="26" fill="#3b2a4a" /><circle cx="32" cy="36" r="14" fill="#8fbf9f" /><path d="M14 42q18-16 36-6" fill="none" stroke="#f1a48f" stroke-width="4" stroke-linecap="round" /><circle cx="46" cy="16" r="3" fill="#f4d58a" />`,
    battle_sheep: html`<circle cx="32" cy="32" r="26" fill="#5f8a3a" /><path d="M32 14l15 9v18l-15 9-15-9V23z" fill="#9cc46a" /><ellipse cx="31" cy="32" rx="11" ry="8" fill="#fffdf2" /><circle cx="42" cy="28" r="4.500" fill="#2b2f33" />`,
    elfenland: html`<circle cx="32" cy="32" r="26" fill="#8a5a22" /><path d="M14 44q10-22 18-12t18-14" fill="none" stroke="#e9dcb8" stroke-width="4" stroke-dasharray="7 5" stroke-linecap="round" /><circle cx="14" cy="44" r="5" fill="#fff8e2" /><circle cx="50" cy="18" r="5" fill="#fff8e2" />`,
    alien_hunt: html`<circle cx="32" cy="32" r="26" fill="#1d4a43" /><ellipse cx="32" cy="36" rx="20" ry="7" fill="#cfe3da" /><path d="M22 34q10-18 20 0z" fill="#7fd0c4" /><path d="M26 43l-4 10M38 43l4 10" stroke="#f4d58a" stroke-width="3" stroke-linecap="round" />`,
};

export const Emblem = ({ game, size = 64 }) => html`<svg class="emblem" width=${size} height=${size} viewBox="0 0 64 64" aria-hidden="true">${drawings[game] || html`<circle cx="32" cy="32" r="26" fill="#545c62" />`}</svg>`;

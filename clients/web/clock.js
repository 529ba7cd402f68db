// The daemon's clock as seen from here. Deadlines are its own; a wrong clock in this device must not shift them.
let offset = 0;      // server minus ours, ms
let known = false;

// A Date header is cut to seconds: the true time lies within the next one.
export function fromDate(text) {
    const at = Date.parse(text || '');
    if (Number.isNaN(at)) return;
    const low = at - Date.now(), high = low + 1000;
    if (!known || offset < low - 500 || offset > high + 500) offset = low + 500;
    known = true;
}

// A message that was just made tells more exactly; old ones (the state sent first) are too far off and are left out.
export function fromMessage(text) {
    const gap = Date.parse(text) - Date.now();
    if (Number.isNaN(gap)) return;
    if (known && Math.abs(gap - offset) < 1500 && gap > offset - 200) offset = (offset * 3 + gap) / 4;
}

export const now = () => Date.now() + offset;

// Milliseconds until a time of the daemon; null without one.
export function left(deadline) {
    return deadline ? Date.parse(deadline) - now() : null;
}

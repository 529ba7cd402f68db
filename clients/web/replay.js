// A finished or running game as a row of moments: the messages of its timeline folded one after the other.
const TOPICS = ['game', 'board', 'phase', 'seats', 'violation', 'result'];

// entries: [{ at, seq, topic, body }]; returns moments, each with the view as it was then.
export function moments(entries, game, result) {
    let view = { game, phase: null, board: null, seats: null, violation: null, result: null, facts: [] };
    const list = [];
    for (const entry of entries) {
        if (TOPICS.includes(entry.topic)) {
            view = { ...view, [entry.topic]: entry.body };
            const last = list[list.length - 1];
            if (last && entry.topic !== 'phase' && last.at === entry.at) last.view = view;
            else list.push({ at: entry.at, entry, view, said: null });
        } else if (entry.topic === 'narration') {
            if (list.length) list[list.length - 1].said = entry.body;
        } else {
            list.push({ at: entry.at, entry, view, said: null });
        }
    }
    if (list.length && result?.over) list[list.length - 1].view = { ...list[list.length - 1].view, result };
    return list.filter((m) => m.view.board || m.entry.topic === 'event');
}

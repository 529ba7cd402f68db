// Lists of pieces: `deck,name,kind,tag,face`, one piece or tag a line, no quoting (no name of ours has a comma).
export function readCsv(text) {
    const [head, ...lines] = String(text).trim().split(/\r?\n/);
    if (!head) return [];
    const keys = head.split(',').map((k) => k.trim());
    return lines.filter(Boolean).map((line) => Object.fromEntries(line.split(',').map((v, i) => [keys[i] || `c${i}`, v.trim()])));
}

// Addresses after the #: /#/table, /#/timeline/GAME?at=4. No server knows of them.
import { useEffect, useState } from './vendor/htm-preact.js';

export function route() {
    const [path, query] = (location.hash.slice(1) || '/').split('?');
    return { parts: path.split('/').filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query || '') };
}

export function go(path) {
    location.hash = path;
}

export function useRoute() {
    const [now, set] = useState(route);
    useEffect(() => {
        const moved = () => set(route());
        addEventListener('hashchange', moved);
        return () => removeEventListener('hashchange', moved);
    }, []);
    return now;
}

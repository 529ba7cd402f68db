// Light, dark or as the device says. Kept in this browser.
export const themes = ['auto', 'light', 'dark'];
export const theme = () => localStorage.getItem('tabled.theme') || 'auto';

export function setTheme(to) {
    localStorage.setItem('tabled.theme', to);
    apply();
}

export function apply() {
    document.documentElement.dataset.theme = theme();
}

// uPlot in the colours of the theme, as wide as its frame, with the numbers in a table beside it for those who read.
import { html, useEffect, useRef } from '../vendor/htm-preact.js';
import uPlot from '../vendor/uplot.js';

const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function Plot({ data, series, height = 240, label, bars }) {
    const frame = useRef();
    useEffect(() => {
        const axis = { stroke: ink('--ink-2'), grid: { stroke: ink('--line'), width: 1 }, ticks: { stroke: ink('--line'), width: 1 }, font: '13px system-ui, sans-serif' };
        const plot = new uPlot({
            width: Math.max(240, frame.current.clientWidth), height, legend: { show: false }, cursor: { show: false },
            scales: { x: { time: false } },
            axes: [{ ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200] }, { ...axis, size: 48 }],
            series: [{}, ...series.map((s, i) => ({ label: s, stroke: ink(['--accent', '--warn', '--info'][i % 3]), width: 2, fill: bars ? ink('--accent-soft') : undefined, points: { show: true, size: 7 }, paths: bars ? uPlot.paths.bars({ size: [0.6, 60] }) : undefined }))],
        }, data, frame.current);
        const follow = new ResizeObserver(() => plot.setSize({ width: Math.max(240, frame.current.clientWidth), height }));
        follow.observe(frame.current);
        return () => { follow.disconnect(); plot.destroy(); };
    }, [JSON.stringify(data), document.documentElement.dataset.theme]);
    return html`<div class="plot" role="img" aria-label=${label}><div ref=${frame}></div></div>`;
}

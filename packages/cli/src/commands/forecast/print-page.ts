import { minutes } from '@nodewright/apis';
import type { ForecastNode, ForecastReport } from '@nodewright/forecast';
import { nodeHeader, nodeRow } from './print-forecast.ts';
import { printHeadline, summaryLines } from './summary-lines.ts';

const width = 960;
const nameWidth = 260;
const rowHeight = 18;
const curveHeight = 90;

/** One page without anything from elsewhere: the answer, the nodes on a line of time, and how many there are. */
export function printForecastPage(report: ForecastReport): string {
  const lines = summaryLines(report)
    .map((line) => `<li${line.startsWith('  ') ? ' class="in"' : ''}>${escapeHtml(line.trim())}</li>`)
    .join('');
  const assumptions = report.assumptions
    .map(({ says, pods }) => `<tr><td>${pods}</td><td>${escapeHtml(says)}</td></tr>`)
    .join('');
  const rows = report.nodes.filter(({ reason }) => reason !== undefined).map(nodeRow);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(printHeadline(report))}</title><style>${pageStyle}</style></head>
<body><h1>${escapeHtml(printHeadline(report))}</h1><ul>${lines}</ul>
${rows.length === 0 ? '' : `<h2>Nodes over time</h2>${legend}<div class="wide" tabindex="0">${drawTimeline(report)}</div>`}
${rows.length === 0 ? '' : `<h2>Nodes that go</h2>${printRows(nodeHeader, rows)}`}
<h2>Taken for granted</h2><table><tr><th>pods</th><th>what</th></tr>${assumptions}</table></body></html>`;
}

const pageStyle = `:root{color-scheme:light dark;--line:light-dark(#06c,#6bf);--before:light-dark(#bbb,#666);
--wave:light-dark(#def,#234)}
body{font:14px system-ui,sans-serif;margin:2em auto;padding:0 1em;max-width:${width + nameWidth + 20}px}
h1{font-size:1.5em}li.in{margin-left:1.5em}.wide{overflow-x:auto}svg{min-width:720px;width:100%;height:auto}
svg text{font:11px system-ui,sans-serif;fill:currentColor}table{border-collapse:collapse}
th{text-align:left}td,th{padding:2px 8px;vertical-align:top;white-space:nowrap}td:last-child{white-space:normal}.key{display:inline-block;width:1.5em;height:.8em}`;

const legend = `<p><span class="key" style="background:var(--before)"></span> stays
<span class="key" style="background:#e90"></span> is replaced
<span class="key" style="background:#c33"></span> is being replaced, and there at the end
<span class="key" style="background:var(--wave)"></span> a wave of a rollout</p>`;

const printRows = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="wide" tabindex="0"><table><tr>${header.map((title) => `<th>${escapeHtml(title)}</th>`).join('')}</tr>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
    .join('')}</table></div>`;

type TimeScale = (at: string) => number;

function drawTimeline(report: ForecastReport): string {
  const shown = report.nodes.filter(({ reason }) => reason !== undefined);
  const from = Date.parse(report.takenAt);
  const last = Math.max(...shown.map(({ gone }) => Date.parse(gone ?? report.until)), from + minutes(1));
  const to = Math.min(Date.parse(report.until), last + (last - from) / 10);
  // A wave may have begun before: what was then is not drawn.
  const scale: TimeScale = (at) =>
    nameWidth + ((Math.max(from, Math.min(Date.parse(at), to)) - from) / (to - from)) * width;
  const nodesHeight = shown.length * rowHeight;
  const height = nodesHeight + curveHeight + 60;
  const bars = shown
    .map((node, index) => drawNode(node, { y: index * rowHeight + 20, scale, until: report.until }))
    .join('');
  return `<svg viewBox="0 0 ${nameWidth + width + 20} ${height}" role="img" aria-label="nodes and their number over time">
${drawWaves(report, scale, nodesHeight + 20)}${bars}${drawCurve(report, scale, nodesHeight + 40)}
<text x="${nameWidth}" y="${height - 4}">${report.takenAt}</text>
<text x="${nameWidth + width}" y="${height - 4}" text-anchor="end">${new Date(to).toISOString().slice(0, 19)}Z</text></svg>`;
}

type BarPlace = { readonly y: number; readonly scale: TimeScale; readonly until: string };

/** Grey while it stands, orange from the beginning of its replacement; red when it is still there at the end. */
function drawNode(node: ForecastNode, { y, scale, until }: BarPlace): string {
  const begin = scale(node.begins ?? until);
  const end = scale(node.gone ?? until);
  const colour = node.gone === undefined ? '#c33' : '#e90';
  const title = `${node.node}: ${node.reason ?? ''}${node.heldBy === undefined ? '' : `, held by ${node.heldBy}`}`;
  return `<g><title>${escapeHtml(title)}</title><text x="0" y="${y + 11}">${escapeHtml(node.node)}</text>
<rect x="${nameWidth}" y="${y}" width="${round(begin - nameWidth)}" height="12" fill="var(--before)"/>
<rect x="${round(begin)}" y="${y}" width="${round(Math.max(2, end - begin))}" height="12" fill="${colour}"/></g>`;
}

const drawWaves = ({ rollouts, until }: ForecastReport, scale: TimeScale, height: number): string =>
  rollouts
    .flatMap(({ waves }) => waves)
    .flatMap(({ name, startedAt, endedAt }, index) => {
      if (startedAt === undefined) return [];
      const [begin, end] = [scale(startedAt), scale(endedAt ?? until)];
      const opacity = index % 2 === 0 ? 1 : 0.5;
      return [
        `<rect x="${round(begin)}" y="0" width="${round(end - begin)}" height="${height}" fill="var(--wave)" opacity="${opacity}"/><text x="${round(begin + 3)}" y="12">${escapeHtml(name)}</text>`,
      ];
    })
    .join('');

/** The number of nodes, as steps. */
function drawCurve({ fleet, until }: ForecastReport, scale: TimeScale, top: number): string {
  const most = Math.max(1, ...fleet.map(({ nodes }) => nodes));
  const y = (nodes: number): number => top + curveHeight - (nodes / most) * (curveHeight - 14);
  const path = fleet.map(({ at, nodes }, index) => {
    const next = fleet[index + 1]?.at ?? until;
    return `${index === 0 ? 'M' : 'L'}${round(scale(at))} ${round(y(nodes))} H${round(scale(next))}`;
  });
  return `<text x="0" y="${top + 20}">nodes, at most ${most}</text><path d="${path.join(' ')}" fill="none" stroke="var(--line)" stroke-width="2"/>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

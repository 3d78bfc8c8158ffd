import type { ForecastNode, ForecastReport } from '@nodewright/forecast';
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
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(printHeadline(report))}</title>
<style>body{font:14px system-ui,sans-serif;margin:2em;max-width:${width + nameWidth}px}
li.in{margin-left:1.5em}svg text{font:11px system-ui,sans-serif}td{padding:2px 8px;vertical-align:top}</style></head>
<body><h1>${escapeHtml(printHeadline(report))}</h1><ul>${lines}</ul>
${drawTimeline(report)}
<h2>Taken for granted</h2><table><tr><th>pods</th><th>what</th></tr>${assumptions}</table></body></html>`;
}

type TimeScale = (at: string) => number;

function drawTimeline(report: ForecastReport): string {
  const shown = report.nodes.filter(({ reason }) => reason !== undefined);
  const from = Date.parse(report.takenAt);
  const last = Math.max(...shown.map(({ gone }) => Date.parse(gone ?? report.until)), from + 60_000);
  const to = Math.min(Date.parse(report.until), last + (last - from) / 10);
  const scale: TimeScale = (at) => nameWidth + ((Math.min(Date.parse(at), to) - from) / (to - from)) * width;
  const nodesHeight = shown.length * rowHeight;
  const height = nodesHeight + curveHeight + 60;
  const bars = shown
    .map((node, index) => drawNode(node, { y: index * rowHeight + 20, scale, until: report.until }))
    .join('');
  return `<svg width="${nameWidth + width + 20}" height="${height}" role="img" aria-label="nodes and their number over time">
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
<rect x="${nameWidth}" y="${y}" width="${round(begin - nameWidth)}" height="12" fill="#bbb"/>
<rect x="${round(begin)}" y="${y}" width="${round(Math.max(2, end - begin))}" height="12" fill="${colour}"/></g>`;
}

const drawWaves = ({ rollouts, until }: ForecastReport, scale: TimeScale, height: number): string =>
  rollouts
    .flatMap(({ waves }) => waves)
    .flatMap(({ name, startedAt, endedAt }, index) => {
      if (startedAt === undefined) return [];
      const [begin, end] = [scale(startedAt), scale(endedAt ?? until)];
      const colour = index % 2 === 0 ? '#def' : '#eef7ff';
      return [
        `<rect x="${round(begin)}" y="0" width="${round(end - begin)}" height="${height}" fill="${colour}"/><text x="${round(begin + 3)}" y="12">${escapeHtml(name)}</text>`,
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
  return `<text x="0" y="${top + 20}">nodes, at most ${most}</text><path d="${path.join(' ')}" fill="none" stroke="#06c" stroke-width="2"/>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

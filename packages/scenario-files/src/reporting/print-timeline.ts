import { type Instant, toTimestamp } from '@nodewright/apis';
import type { TestedWorld } from '../world/tested-world.ts';
import { printSpan } from './print-result.ts';

const width = 1_000;
const left = 260;
const barHeight = 16;
const chartHeight = 80;

/** From when to when a node was there. */
type NodeBar = {
  readonly name: string;
  readonly release: string;
  readonly type: string;
  readonly from: Instant;
  readonly to: Instant;
};

/**
 * A play as a page of its own: nodes as bars in the colours of their releases, ready pods as a line, steps as marks, and what
 * happened as a table. The page makes no requests.
 */
export function printTimeline(
  world: TestedWorld,
  { title, seed }: { readonly title: string; readonly seed: number },
): string {
  const start = world.settings.start;
  const end = world.time.clock.now();
  const bars = nodeBars(world);
  const x = (at: number): number => left + ((at - start) / Math.max(1, end - start)) * (width - left - 10);
  const height = chartHeight + 40 + bars.length * (barHeight + 4) + 20;
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>`,
    `<style>body{font:14px system-ui,sans-serif;margin:2em;color:#222}td{padding:2px 12px 2px 0;vertical-align:top}text{font-size:11px}.controller{color:#225}.scenario{font-weight:bold}</style></head><body>`,
    `<h1>${escapeHtml(title)}</h1><p>Seed ${seed}, from ${toTimestamp(start)} to ${toTimestamp(end)} (${printSpan(end - start)}).</p>`,
    `<svg width="${width}" height="${height}" role="img" aria-label="Ready pods and nodes over time">`,
    ...drawPods(world, x, end),
    ...drawSteps(world, x, height),
    ...bars.flatMap((bar, row) => drawBar(bar, { x, y: chartHeight + 40 + row * (barHeight + 4) })),
    '</svg>',
    '<h2>What happened</h2><table>',
    ...world.timeline
      .all()
      .map(
        ({ at, by, what, text }) =>
          `<tr class="${by}"><td>${toTimestamp(at)}</td><td>${by}</td><td>${escapeHtml(what)}</td><td>${escapeHtml(text)}</td></tr>`,
      ),
    '</table></body></html>',
    '',
  ].join('\n');
}

/** Nodes come and go in the entries of the world. */
function nodeBars(world: TestedWorld): readonly NodeBar[] {
  const end = world.time.clock.now();
  const begun = new Map<string, Instant>();
  const ended = new Map<string, Instant>();
  for (const { at, by, what, text } of world.timeline.all()) {
    const [, name] = /^Node (\S+)/.exec(text) ?? [];
    if (by !== 'world' || name === undefined) continue;
    if (what === 'created') begun.set(name, at);
    else ended.set(name, at);
  }
  return [...begun].map(([name, from]) => {
    const instance = world.instances.ofNode(name);
    return {
      name,
      release: instance?.release?.version ?? '',
      type: instance?.type ?? '',
      from,
      to: ended.get(name) ?? end,
    };
  });
}

type Scale = (at: number) => number;

const colors = ['#4878a8', '#d0743c', '#5a9a58', '#a05a9a', '#8a7a3a', '#b04a5a'];

/** The same release has the same colour in every bar. */
const colorOf = (release: string): string => {
  const sum = release.split('').reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 9_973, 7);
  return colors[sum % colors.length] ?? '#777';
};

function drawBar(
  { name, release, type, from, to }: NodeBar,
  { x, y }: { readonly x: Scale; readonly y: number },
): readonly string[] {
  const bar = `<rect x="${x(from).toFixed(1)}" y="${y}" width="${Math.max(1, x(to) - x(from)).toFixed(1)}" height="${barHeight}" fill="${colorOf(release)}"><title>${escapeHtml(`${name}, ${type}, ${release}, ${toTimestamp(from)} to ${toTimestamp(to)}`)}</title></rect>`;
  return [bar, `<text x="0" y="${y + 12}">${escapeHtml(`${name.split('.')[0] ?? ''} ${release}`)}</text>`];
}

function drawPods(world: TestedWorld, x: Scale, end: Instant): readonly string[] {
  const counts = world.readyPods.counts();
  const most = Math.max(1, ...counts.map(({ total }) => total));
  const y = (pods: number): number => 10 + (1 - pods / most) * (chartHeight - 10);
  let path = `M ${left} ${y(0)}`;
  for (const { at, ready } of counts) path += ` H ${x(at).toFixed(1)} V ${y(ready).toFixed(1)}`;
  return [
    `<text x="0" y="20">ready pods, at most ${most}</text>`,
    `<path d="${path} H ${x(end).toFixed(1)}" fill="none" stroke="#222" stroke-width="1.5"/>`,
  ];
}

const drawSteps = (world: TestedWorld, x: Scale, height: number): readonly string[] =>
  world.timeline
    .all()
    .filter(({ by }) => by === 'scenario')
    .map(
      ({ at, text }) =>
        `<line x1="${x(at).toFixed(1)}" x2="${x(at).toFixed(1)}" y1="${chartHeight + 6}" y2="${height}" stroke="#bbb" stroke-dasharray="3 3"><title>${escapeHtml(`${toTimestamp(at)} ${text}`)}</title></line>`,
    );

const htmlEntities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => htmlEntities.get(letter) ?? letter);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForecastReport } from '@nodewright/forecast';
import { describe, expect, test } from 'vitest';
import { printForecastMarkdown } from './print-markdown.ts';
import { printForecastPage } from './print-page.ts';

/** What `nodewright forecast -f` answered for a tag of the class in the sandbox of the scenario managing-amis. */
const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testdata/tag-change.json'), 'utf8'),
) as ForecastReport;
const [first] = recorded.nodes.filter(({ reason }) => reason !== undefined);
if (first === undefined) throw new Error('the recording replaces nothing');

const at = (minutes: number): string => new Date(Date.parse(recorded.takenAt) + minutes * 60_000).toISOString();
const reportOf = (more: Partial<ForecastReport>): ForecastReport => ({ ...recorded, rollouts: [], ...more });
const hour = { until: at(60), fleet: [{ at: at(0), nodes: 2 }] } as unknown as Partial<ForecastReport>;

/** The rectangles of a page, in order: where each begins, how wide it is, and its colour. */
const barsOf = (report: ForecastReport): readonly string[] =>
  [...printForecastPage(report).matchAll(/<rect x="([-\d.]+)" y="\d+" width="([-\d.]+)"[^>]* fill="([^"]+)"/g)].map(
    ([, x, width, colour]) => `${x} +${width} ${colour}`,
  );

describe('on the line of time', () => {
  // The page begins at 260 with the names of nodes before it, and is 960 wide: 16 a minute for an hour.
  const node = { ...first, node: 'n', begins: at(15), gone: at(30) };

  test.each<readonly [fact: string, node: object, bars: readonly string[]]>([
    [
      'a node is grey until its replacement begins, and orange until it is gone',
      {},
      ['260 +436.4 var(--before)', '696.4 +436.4 #e90'],
    ],
    ['a node that is there at the end is red', { gone: undefined }, ['260 +240 var(--before)', '500 +720 #c33']],
    ['a node that goes in no time can be seen', { gone: at(15) }, ['260 +872.7 var(--before)', '1132.7 +2 #e90']],
    [
      'a node whose replacement does not begin is grey and red at the very end',
      { begins: undefined, gone: undefined },
      ['260 +960 var(--before)', '1220 +2 #c33'],
    ],
  ])('%s', (_, more, bars) => {
    expect(barsOf(reportOf({ ...hour, nodes: [{ ...node, ...more }] as ForecastReport['nodes'] }))).toEqual(bars);
  });

  const still = [{ ...node, begins: undefined, gone: undefined }] as unknown as ForecastReport['nodes'];
  test.each<readonly [fact: string, wave: object, bar: string | undefined]>([
    [
      'a wave lies behind the nodes from its beginning to its end',
      { startedAt: at(15), endedAt: at(30) },
      '500 +240 var(--wave)',
    ],
    ['a wave without an end lasts', { startedAt: at(15) }, '500 +720 var(--wave)'],
    [
      'a wave that began before is drawn from the beginning on',
      { startedAt: at(-600), endedAt: at(30) },
      '260 +480 var(--wave)',
    ],
    ['a wave that ended before is not seen', { startedAt: at(-600), endedAt: at(-60) }, '260 +0 var(--wave)'],
    ['a wave to come is not there', {}, undefined],
  ])('%s', (_, wave, bar) => {
    const rollouts = [{ waves: [{ name: 'canary', ...wave }] }] as unknown as ForecastReport['rollouts'];
    const [found] = barsOf(reportOf({ ...hour, nodes: still, rollouts })).filter((each) =>
      each.endsWith('var(--wave)'),
    );
    expect(found).toBe(bar);
  });

  test('the number of nodes goes in steps, each as high as its share of the most', () => {
    const fleet = [
      { at: at(0), nodes: 2 },
      { at: at(15), nodes: 4 },
      { at: at(30), nodes: 0 },
    ] as unknown as ForecastReport['fleet'];
    const page = printForecastPage(reportOf({ ...hour, nodes: still, fleet }));
    expect(page).toContain('nodes, at most 4');
    expect(/<path d="([^"]+)"/.exec(page)?.[1]).toBe('M260 110 H500 L500 72 H740 L740 148 H1220');
  });
});

describe('words of a cluster are text, whatever is in them', () => {
  const evil = '<img src=x onerror="alert(1)">&|`*_';
  const nodes = [{ ...first, node: evil, heldBy: evil }] as ForecastReport['nodes'];
  const report = reportOf({
    nodes,
    assumptions: [{ says: evil, pods: 1 }] as unknown as ForecastReport['assumptions'],
    rollouts: [{ waves: [{ name: evil, startedAt: at(1) }] }] as unknown as ForecastReport['rollouts'],
  });

  test('on the page', () => {
    const page = printForecastPage({
      ...report,
      rollouts: report.rollouts.map((each) => ({ ...recorded.rollouts[0], ...each })),
    });
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;|`*_');
  });

  test('in the comment of a pull request', () => {
    const text = printForecastMarkdown(reportOf({ nodes, assumptions: report.assumptions }));
    expect(text).not.toMatch(/(?<!\\)<img/);
    expect(text).toContain('<summary>1 node</summary>');
    expect(text).toContain('\\<img src=x onerror="alert(1)"\\>&\\|\\`\\*\\_');
  });
});

test('a page asks for nothing from elsewhere', () => {
  const page = printForecastPage(recorded);
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/(?:src|href)=|url\(|<script/);
});

test('a page of a change that replaces nothing has no line of time and no table of nodes', () => {
  const page = printForecastPage(reportOf({ nodes: [] }));
  expect(page).not.toContain('<svg');
  expect(page).not.toContain('Nodes that go');
  expect(page).toContain('Taken for granted');
});

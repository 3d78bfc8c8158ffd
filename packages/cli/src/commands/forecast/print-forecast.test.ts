import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeBehaviors } from '@nodewright/aws-endpoints';
import type { ForecastReport } from '@nodewright/forecast';
import { describe, expect, test } from 'vitest';
import { parseForecastRelease } from './parse-release.ts';
import { printForecastTable } from './print-forecast.ts';
import { printForecastMarkdown } from './print-markdown.ts';
import { printForecastPage } from './print-page.ts';

const here = import.meta.dirname;
/** What `nodewright forecast -f` answered for a tag of the class in the sandbox of the scenario managing-amis. */
const recorded = JSON.parse(readFileSync(join(here, 'testdata/tag-change.json'), 'utf8')) as ForecastReport;

test('the page of the documentation begins with the screen as it is printed', () => {
  const page = readFileSync(join(here, '../../../../../docs/forecast.md'), 'utf8');
  expect(page).toContain(printForecastTable(recorded).split('\n\n', 1).join(''));
});

test('nodes that are held say by what', () => {
  const [node] = recorded.nodes;
  const held = { ...recorded, nodes: node === undefined ? [] : [{ ...node, heldBy: 'pdb default/web' }] };
  expect(printForecastTable({ ...held, summary: { ...held.summary, blocked: 1 } })).toContain(
    `left at the end (2024-09-03T11:10:20Z): 1 node\n    ${node?.node ?? ''}: pdb default/web`,
  );
});

test('a change that replaces nothing says so with the hash that stays', () => {
  const none = { least: 0, most: 0 };
  const summary = {
    ...recorded.summary,
    nodesReplaced: 0,
    nodesReplacedInRuns: none,
    unchangedHashes: ['NodePool default keeps the hash 12'],
  };
  expect(printForecastTable({ ...recorded, nodes: [], summary })).toContain(
    'none of 7 nodes goes; NodePool default keeps the hash 12',
  );
});

test('a workload without a ready pod is out of service, whether a budget forbids it or not', () => {
  const outage = { workload: 'default/apart', readyBefore: 7, leastReady: 0, secondsBelow: 0, secondsWithoutReady: 72 };
  expect(printForecastTable({ ...recorded, workloads: [{ ...outage, evictions: 7 }] })).toContain(
    'out of service meanwhile:\n    default/apart: none of 7 pods ready for 1m12s\n',
  );
});

test('a rollout that halts says how many nodes it has not reached', () => {
  const waves = [{ name: 'canary', startedAt: '2024-09-03T10:10:32Z' }, { name: 'all' }];
  const rollouts = [{ name: 'production-1', state: 'Halted', waves, nodesLeft: 6 }];
  expect(printForecastTable({ ...recorded, rollouts })).toContain(`
  rollout production-1: Halted, 6 nodes still to go
    wave canary: since 2024-09-03T10:10:32Z, not over
    wave all: not begun
`);
});

const hostile = { ...recorded, clusterName: '<script>alert(1)</script>' };

test('the page for a browser is one file, and shows names as text', () => {
  const page = printForecastPage(hostile);
  expect(page).not.toMatch(/<script|src=|href=|@import/);
  expect(page.match(/<rect/g)?.length).toBeGreaterThanOrEqual(2 * recorded.nodes.length);
});

test('the page names every node that goes, loads nothing, and has colours for light and dark', () => {
  const page = printForecastPage(recorded);
  for (const { node, begins = '' } of recorded.nodes)
    expect(page).toMatch(new RegExp(`<td>${node}</td>.*<td>${begins}</td>`));
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(page).toContain('color-scheme:light dark');
});

test('the comment for a pull request shows names as text', () => {
  expect(printForecastMarkdown(hostile)).toContain('\\<script\\>');
});

describe('--release', () => {
  test('names a family in any case, a version and a behavior', () => {
    expect(parseForecastRelease('al2023=v20300101')).toEqual({ family: 'AL2023', version: 'v20300101' });
    expect(parseForecastRelease('Bottlerocket=1.30.0,behavior=notReady').behavior).toBe('notReady');
  });

  test('knows every behavior that nodes can have, and no other', () => {
    for (const behavior of nodeBehaviors)
      expect(parseForecastRelease(`al2023=v20300101,behavior=${behavior}`).behavior).toBe(behavior);
    expect(() => parseForecastRelease('al2023=v20300101,behavior=shy')).toThrow('must have a behavior of healthy,');
  });

  test('has a version as the family has them', () => {
    expect(() => parseForecastRelease('AL2023=v2030')).toThrow('must have a version such as AL2023=v20300101');
    expect(() => parseForecastRelease('Windows2022=v20300101')).toThrow('such as Windows2022=2030.01.01');
  });

  for (const text of ['al2023', 'debian=1', 'al2023=', 'al2023=v20300101,colour=blue']) {
    test(`refuses ${text}`, () => expect(() => parseForecastRelease(text)).toThrow('must be FAMILY=VERSION'));
  }
});

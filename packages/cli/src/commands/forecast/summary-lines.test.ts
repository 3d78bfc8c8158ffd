import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForecastReport, ForecastSummary } from '@nodewright/forecast';
import { describe, expect, test } from 'vitest';
import { printHeadline, summaryLines } from './summary-lines.ts';

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testdata/tag-change.json'), 'utf8'),
) as ForecastReport;

const linesOf = (summary: Partial<ForecastSummary>, report: Partial<ForecastReport> = {}): readonly string[] =>
  summaryLines({ ...recorded, ...report, summary: { ...recorded.summary, ...summary } });

const some = { least: 7, most: 7 };
const day = (time: string): string => `2024-09-03T${time}Z`;

describe('nodes', () => {
  test.each<[fact: string, summary: Partial<ForecastSummary>, line: string]>([
    [
      'are counted with the reasons in words',
      { nodesReplacedInRuns: some, reasons: [{ reason: 'Expired', nodes: 7 }] },
      '7 of 7 nodes go: 7 Expired (they are too old)',
    ],
    [
      'are counted from the least to the most of several runs',
      { nodesReplacedInRuns: { least: 6, most: 7 }, reasons: [{ reason: 'AMIDrift', nodes: 6 }] },
      '6 to 7 of 7 nodes go: 6 AMIDrift (another image is wanted)',
    ],
    [
      'have each of their reasons',
      {
        nodesReplacedInRuns: some,
        reasons: [
          { reason: 'SubnetDrift', nodes: 3 },
          { reason: 'Surprise', nodes: 4 },
        ],
      },
      '7 of 7 nodes go: 3 SubnetDrift (their subnet is not wanted any more), 4 Surprise',
    ],
  ])('%s', (_, summary, line) => {
    expect(linesOf(summary)[0]).toContain(line);
  });

  test('that stay are told with at most four hashes, and with none where no manifest was given', () => {
    const summary = {
      nodesReplacedInRuns: { least: 0, most: 0 },
      unchangedHashes: ['one', 'two', 'three', 'four', 'five'],
    };
    expect(linesOf(summary)[0]).toBe('none of 7 nodes goes; one; two; three; four');
    expect(linesOf(summary, { change: { ...recorded.change, manifests: [] } })[0]).toBe('none of 7 nodes goes');
    expect(linesOf(summary).some((line) => line.startsWith('begins'))).toBe(false);
  });
});

describe('the end', () => {
  const begins = day('10:10:00');
  const until = day('12:00:00');

  test.each<[fact: string, ends: ForecastSummary['ends'], runs: number, lines: readonly string[]]>([
    [
      'is one time where the runs agree',
      { least: day('11:00:00'), most: day('11:00:00'), runs: 1 },
      1,
      [`begins ${begins}, done ${day('11:00:00')}, after 50m0s`],
    ],
    [
      'is a range where they do not',
      { least: day('11:00:00'), most: day('11:10:00'), runs: 10 },
      10,
      [`begins ${begins}, done ${day('11:00:00')} to ${day('11:10:00')}, 95 times out of 100, after 1h0m0s at most`],
    ],
    [
      'is not reached in some of the runs',
      { least: day('11:00:00'), most: day('11:00:00'), runs: 8 },
      10,
      [`begins ${begins}, done ${day('11:00:00')}, after 50m0s`, `not done by ${until} in 2 of 10 runs`],
    ],
    ['is not reached at all', undefined, 10, [`begins ${begins}, not done by ${until} in any of 10 runs`]],
  ])('%s', (_, ends, runs, lines) => {
    const { ends: _ends, ...summary } = recorded.summary;
    const report = { ...recorded, runs, until, rollouts: [] };
    const all = summaryLines({
      ...report,
      summary: { ...summary, begins, nodesReplacedInRuns: some, ...(ends && { ends }) },
    });
    expect(all.slice(1, 1 + lines.length)).toEqual(lines);
  });
});

describe('a rollout', () => {
  const rollout = (traits: object) => ({ name: 'web-1', state: 'Progressing', waves: [], nodesLeft: 0, ...traits });

  test.each<[fact: string, traits: object, lines: readonly string[]]>([
    ['that has no node left', {}, ['rollout web-1: Progressing']],
    ['with nodes to go', { nodesLeft: 3 }, ['rollout web-1: Progressing, 3 nodes still to go']],
    [
      'with its end',
      { nodesLeft: 3, expectedEnd: day('14:00:00') },
      [`rollout web-1: Progressing, 3 nodes still to go, ends ${day('14:00:00')} at the earliest`],
    ],
    [
      'with its waves',
      {
        waves: [
          { name: 'one', startedAt: day('10:00:00'), endedAt: day('11:00:00') },
          { name: 'two', startedAt: day('11:00:00') },
          { name: 'three' },
        ],
      },
      [
        'rollout web-1: Progressing',
        `  wave one: ${day('10:00:00')} to ${day('11:00:00')}`,
        `  wave two: since ${day('11:00:00')}, not over`,
        '  wave three: not begun',
      ],
    ],
  ])('%s', (_, traits, lines) => {
    const all = linesOf({}, { rollouts: [rollout(traits)] as ForecastReport['rollouts'] });
    const start = all.findIndex((line) => line.startsWith('rollout'));
    expect(all.slice(start, start + lines.length)).toEqual(lines);
  });
});

describe('what stands in the way', () => {
  const held = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...recorded.nodes[0],
      node: `n${index}`,
      heldBy: 'pdb default/web',
    }));

  test.each<[fact: string, summary: Partial<ForecastSummary>, count: number, lines: readonly string[]]>([
    ['is nothing', { blocked: 0 }, 0, ['left at the end: none']],
    ['is one node', { blocked: 1 }, 1, [`left at the end (${recorded.until}): 1 node`, '  n0: pdb default/web']],
    [
      'is five nodes and two more',
      { blocked: 7 },
      7,
      [
        `left at the end (${recorded.until}): 7 nodes`,
        ...[0, 1, 2, 3, 4].map((index) => `  n${index}: pdb default/web`),
        '  and 2 more',
      ],
    ],
  ])('%s', (_, summary, count, lines) => {
    const all = linesOf(summary, { nodes: held(count) as ForecastReport['nodes'] });
    const start = all.findIndex((line) => line.startsWith('left at the end'));
    expect(all.slice(start, start + lines.length)).toEqual(lines);
  });

  test('names pods without a place and what a person has to do', () => {
    const all = linesOf({ unschedulable: ['default/web', 'default/db'], waitsForPerson: ['approve web-1', 'look'] });
    expect(all).toContain('pods without a place at the end: default/web, default/db');
    expect(all).toContain('waits for a person: approve web-1; look');
    expect(linesOf({ unschedulable: [], waitsForPerson: [] })).toContain('waits for a person: nothing');
  });
});

describe('what it costs', () => {
  test('is no surge, or what there is at most', () => {
    expect(linesOf({ surge: { nodes: 0, vcpus: 0, usdPerHour: '0' } })).toContain('surge: none');
    expect(linesOf({ surge: { nodes: 1, vcpus: 4, usdPerHour: '0.2' } })).toContain(
      'surge: at most 1 node, 4 vCPU and $0.2 an hour more than at the beginning',
    );
    expect(linesOf({ usdPerHourBefore: '1', usdPerHourAfter: '2', usdExtra: '3' })).toContain(
      'price: $1 an hour before, $2 after, $3 for the surge',
    );
  });

  test('is evictions, by workload, with the time below a budget', () => {
    const workload = { workload: 'default/web', evictions: 3, leastReady: 2, readyBefore: 3, secondsWithoutReady: 0 };
    const workloads = [
      { ...workload, secondsBelow: 0 },
      { ...workload, workload: 'default/db', secondsBelow: 12 },
    ];
    const all = linesOf({ evictions: 6 }, { workloads });
    expect(all.slice(-3)).toEqual([
      'evictions: 6',
      '  default/web: 3 (at least 2 of 3 ready)',
      '  default/db: 3 (at least 2 of 3 ready, 12 s below its budget)',
    ]);
    expect(linesOf({ evictions: 0 }, { workloads }).at(-1)).toBe('evictions: none');
  });

  test('is outages, of workloads and of services', () => {
    const services = [{ service: 'default/web', secondsWithoutEndpoint: 61 }] as ForecastReport['services'];
    const all = linesOf({}, { workloads: [], services });
    expect(all).toContain('out of service meanwhile:');
    expect(all).toContain('  service default/web: no ready endpoint for 1m1s');
    expect(linesOf({}, { workloads: [], services: [] })).toContain('out of service meanwhile: none');
  });
});

describe('the headline', () => {
  const headline = (change: Partial<ForecastReport['change']>, runs = 1) =>
    printHeadline({
      ...recorded,
      clusterName: 'prod',
      at: day('10:00:00'),
      until: day('12:00:00'),
      runs,
      change: { manifests: [], releases: [], ...change },
    });
  const times = `at ${day('10:00:00')}, followed until ${day('12:00:00')}`;

  test.each<[what: string, change: Partial<ForecastReport['change']>]>([
    ['no change', {}],
    ['EC2NodeClass default', { manifests: ['EC2NodeClass default'] }],
    ['release AL2023 v2', { releases: [{ family: 'AL2023', version: 'v2' }] }],
    ['release AL2023 v2 (notReady)', { releases: [{ family: 'AL2023', version: 'v2', behavior: 'notReady' }] }],
    ['node group workers to the recommended release', { groupUpdates: [{ group: 'workers' }] }],
    ['node group workers to 1.30.0', { groupUpdates: [{ group: 'workers', release: '1.30.0' }] }],
    ['control plane to 1.31', { kubernetesVersion: '1.31' }],
    ['NodePool a, control plane to 1.31', { manifests: ['NodePool a'], kubernetesVersion: '1.31' }],
  ])('says %s', (what, change) => {
    expect(headline(change)).toBe(`prod: ${what} ${times}, 1 run`);
  });

  test('counts its runs', () => {
    expect(headline({}, 20)).toBe(`prod: no change ${times}, 20 runs`);
  });
});

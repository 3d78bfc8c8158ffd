import { instant, minutes } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { RunNode, RunRecord, RunRollout } from '../run/run-record.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { summarizeRuns } from './summarize-runs.ts';

const snapshot = {
  clusterName: 'moon',
  takenAt: '2025-03-03T06:00:00Z',
  kubernetes: {},
  aws: { nodeGroups: [], images: [] },
  observed: { boots: [] },
  unread: [],
} as unknown as Snapshot;

const old = (claim: string, rest: Partial<RunNode> = {}): RunNode => ({
  claim,
  nodePool: 'default',
  isFromBefore: true,
  createdAt: instant(0),
  ...rest,
});
const gone = (claim: string, command: string, minute: number): RunNode =>
  old(claim, {
    reason: 'AMIDrift',
    command,
    chosenAt: instant(minutes(minute)),
    leavesAt: instant(minutes(minute + 1)),
    goneAt: instant(minutes(minute + 2)),
  });
const newNode = (claim: string, minute: number, launchedBy?: string): RunNode => ({
  claim,
  nodePool: 'default',
  instanceType: 'm5.large',
  isFromBefore: false,
  createdAt: instant(minutes(minute)),
  ...(launchedBy === undefined ? {} : { launchedBy }),
});

const run = (rest: Partial<RunRecord>): RunRecord => ({
  at: instant(0),
  until: instant(minutes(60)),
  nodes: [],
  evictions: [],
  workloads: [],
  services: [],
  rollouts: [],
  groups: [],
  fleet: [],
  unschedulable: [],
  hashes: [],
  ...rest,
});

const summarize = (...runs: readonly [RunRecord, ...RunRecord[]]) =>
  summarizeRuns({ snapshot, change: { manifests: [], releases: [] } }, runs);

test('a node has the replacement that its command launched, and none where its pods fit elsewhere', () => {
  const nodes = [gone('empty', 'command-1', 0), gone('busy', 'command-2', 0), newNode('next', 0, 'command-2')];
  const report = summarize(run({ nodes }));
  expect(report.nodes.map(({ node, replacedBy = 'nothing' }) => `${node} by ${replacedBy}`)).toEqual([
    'busy by m5.large next',
    'empty by nothing',
  ]);
});

const rollout = (rest: Partial<RunRollout>): RunRollout => ({
  name: 'production-1',
  state: 'Complete',
  waves: [],
  nodesLeft: 0,
  ...rest,
});

test('nodes that no wave gets to are left, and the run is not done', () => {
  const halted = rollout({ state: 'Halted', haltedBecause: '1 failed node', nodesLeft: 7 });
  const { summary } = summarize(run({ nodes: [gone('canary', 'c', 0)], rollouts: [halted] }));
  expect(summary).toMatchObject({
    blocked: 7,
    waitsForPerson: ['NodeRollout production-1 is halted: 1 failed node'],
  });
  expect(summary.ends).toBeUndefined();
});

test('the summary has the worst of all runs', () => {
  const web = { workload: 'default/web', readyBefore: 3, leastReady: 2, secondsBelow: 0, secondsWithoutReady: 0 };
  const { summary, workloads } = summarize(
    run({ nodes: [gone('a', 'c', 5)], workloads: [web] }),
    run({
      nodes: [gone('a', 'c', 2), old('b', { reason: 'AMIDrift' })],
      workloads: [{ ...web, leastReady: 0, secondsWithoutReady: 12 }],
      unschedulable: [{ pod: 'default/web-1', since: instant(0) }],
    }),
  );
  expect(summary).toMatchObject({ blocked: 1, begins: '1970-01-01T00:02:00Z', unschedulable: ['default/web-1'] });
  expect(summary.ends?.runs).toBe(1);
  expect(workloads).toMatchObject([{ leastReady: 0, secondsWithoutReady: 12 }]);
});

test('what policies ask elsewhere is taken for granted', () => {
  const policy = {
    apiVersion: 'nodewright.dev/v1alpha1',
    kind: 'NodeRolloutPolicy',
    metadata: { name: 'production' },
    spec: {
      preset: 'standard',
      health: { checks: [{ name: 'errors', prometheus: { url: 'http://p', query: 'up' } }] },
      promotion: { require: [{ from: { ssmParameter: '/a' } }] },
    },
  };
  const { assumptions } = summarizeRuns({ snapshot, change: { manifests: [policy], releases: [] } }, [run({})]);
  expect(assumptions.map(({ says }) => says)).toEqual(
    expect.arrayContaining([
      'checks of NodeRolloutPolicy production (errors) are not asked: its waves wait for them',
      'records that NodeRolloutPolicy production requires are not read: no release counts as proven elsewhere',
    ]),
  );
});

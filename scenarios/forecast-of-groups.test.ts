import { fromTimestamp, type KubernetesObject, minutes, byNumberOf } from '@nodewright/apis';
import type { Snapshot } from '@nodewright/forecast';
import { beforeAll, expect, test } from 'vitest';
import { redactSnapshot } from '../packages/forecast/src/redact/redact-snapshot.ts';
import { makeForecast } from '../packages/forecast/src/report/make-forecast.ts';
import type { ForecastChange } from '../packages/forecast/src/run/forecast-change.ts';
import type { ClusterPlan } from '../packages/simulation/src/histories/history.ts';
import { compareChange } from './support/forecast-law.ts';
import { snappedNodeGroup, snappedNodeGroups, zonesOfSnappedGroups } from './support/snapped-groups.ts';
import { snapAfter, type SnappedWorld } from './support/snapped-world.ts';

/** Four pods that may leave one by one, and no NodePool. */
const cluster: ClusterPlan = {
  kubernetesVersion: '1.31',
  operators: 1,
  pools: [],
  workloads: [{ name: 'web', kind: 'Deployment', replicas: 4, cpuMillis: 800, graceSeconds: 30, maxUnavailable: 1 }],
};
const nothing: ForecastChange = { manifests: [], releases: [] };
/** From now on the controllers keep both groups on the newest release. */
const kept = Object.values(snappedNodeGroups);

let snapped: SnappedWorld;
let snapshot: Snapshot;
beforeAll(async () => {
  const groups = { which: ['managed', 'plain'], release: 'previous', isKept: false } as const;
  snapped = await snapAfter({ seed: 'groups', cluster, minutes: 7, groups });
  ({ snapshot } = snapped);
});

test('a snapshot has groups with their instances, templates and images', () => {
  const { managedGroups = [], scalingGroups = [], types } = snapshot.aws;
  expect(snapshot.unread).toEqual([]);
  expect(managedGroups).toMatchObject([{ name: 'managed', version: '1.31', scaling: { desired: 2 } }]);
  expect(scalingGroups.map(({ instances }) => instances.length)).toEqual([2, 2]);
  expect(types.map(({ name }) => name)).toEqual(['m5.large']);
});

/** What comes and goes after a change is equal in the cluster after a restart and in its forecast. */
async function followChange(change: Partial<ForecastChange>, forMinutes: number) {
  const question = { snapshot, change: { ...nothing, ...change }, forMs: minutes(forMinutes) };
  const { ran, foreseen, record } = await compareChange(snapped, question);
  expect(foreseen).toEqual(ran);
  return record;
}

test('a forecast of groups in the waves of a policy is what follows', async () => {
  const policy = Object.assign(
    { apiVersion: 'nodewright.dev/v1alpha1', kind: 'NodeRolloutPolicy', metadata: { name: 'waves' } },
    {
      spec: {
        preset: 'fast',
        waves: [
          { name: 'canary', nodes: 1, soak: '5m' },
          { name: 'all', nodes: '100%' },
        ],
      },
    },
  );
  const releases = [{ family: 'AL2023', version: 'v20300101' }];
  const { nodes, rollouts, groups } = await followChange({ manifests: [policy, ...kept], releases }, 45);
  expect(rollouts.map(({ state, waves }) => [state, waves.map(({ name }) => name)])).toEqual([
    ['Complete', ['canary', 'all']],
  ]);
  expect(groups).toEqual([]);
  const [first, ...others] = nodes
    .filter(({ isFromBefore }) => isFromBefore)
    .toSorted(byNumberOf(({ chosenAt }) => chosenAt ?? Infinity));
  expect(first?.nodeGroup).toBe('plain');
  const canaryEnd = fromTimestamp(rollouts[0]?.waves[0]?.endedAt ?? '');
  for (const { chosenAt, goneAt } of others) {
    expect(chosenAt).toBeGreaterThanOrEqual(canaryEnd);
    expect(goneAt).toBeGreaterThan(canaryEnd);
  }
});

test('a forecast of an upgrade of the control plane, with an update that EKS is asked for, is what follows', async () => {
  const change = {
    manifests: [snappedNodeGroups.plain],
    kubernetesVersion: '1.32',
    groupUpdates: [{ group: 'managed' }],
  };
  const { nodes, groups } = await followChange(change, 30);
  expect(groups).toEqual([]);
  expect(nodes.filter(({ goneAt }) => goneAt !== undefined).length).toBeGreaterThanOrEqual(
    4 + 2 * zonesOfSnappedGroups.length,
  );
});

const foresee = (of: Snapshot, manifests: readonly KubernetesObject[]) =>
  makeForecast({ snapshot: of, change: { manifests, releases: [] }, forMs: minutes(30) }, { seeds: 1 });

test('a forecast of what was redacted has every node of both groups with its replacement', async () => {
  const redacted = redactSnapshot(snapshot);
  const { managedGroups = [], scalingGroups = [] } = redacted.aws;
  const plain = scalingGroups.find(({ name }) => managedGroups.every(({ scalingGroup }) => scalingGroup !== name));
  const { summary, nodes, workloads } = await foresee(redacted, [
    snappedNodeGroup('managed', { eks: { name: managedGroups[0]?.name ?? '' } }),
    snappedNodeGroup('plain', { autoScalingGroup: { name: plain?.name ?? '' } }),
  ]);
  expect(summary).toMatchObject({ nodesBefore: 4, nodesReplaced: 4, blocked: 0, waitsForPerson: [] });
  expect(summary.reasons).toEqual([{ reason: 'NodeGroupUpdate', nodes: 4 }]);
  expect(nodes.map(({ nodeGroup = '' }) => nodeGroup).toSorted()).toEqual([
    'managed',
    'managed',
    plain?.name,
    plain?.name,
  ]);
  expect(nodes.every(({ begins = '', gone = '', replacedBy }) => begins < gone && replacedBy !== undefined)).toBe(true);
  expect(summary.surge.nodes).toBeGreaterThanOrEqual(4);
  expect(workloads[0]).toMatchObject({ readyBefore: 4, leastReady: 3, secondsBelow: 0 });
  expect(workloads[0]?.evictions).toBeGreaterThanOrEqual(4);
  expect(fromTimestamp(summary.ends?.most ?? '')).toBeGreaterThan(fromTimestamp(snapshot.takenAt));
});

test('an update that EKS refuses is refused by the forecast', async () => {
  const groupUpdates = [{ group: 'managed', release: '1.30.0-20200101' }];
  const asked = makeForecast({ snapshot, change: { ...nothing, groupUpdates }, forMs: minutes(1) }, { seeds: 1 });
  await expect(asked).rejects.toThrow('Requested release version 1.30.0-20200101 is not valid');
});

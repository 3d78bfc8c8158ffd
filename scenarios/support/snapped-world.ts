import {
  daemonSets,
  deployments,
  ec2NodeClasses,
  instant,
  minutes,
  nodePools,
  nodeRolloutPolicies,
  podDisruptionBudgets,
  type ResourceType,
  statefulSets,
  toTimestamp,
} from '@nodewright/apis';
import { builtInReleases, type ReleaseHistory } from '@nodewright/aws-endpoints';
import { decodeSnapshot, encodeSnapshot, type Snapshot, takeSnapshot } from '@nodewright/forecast';
import { createAwsCloud, createInProcessClients } from '@nodewright/provider-aws';
import { type Ledger, seededRandom } from '@nodewright/runtime';
import { drawHistory } from '@nodewright/simulation';
import { type ForecastChange, makeChange } from '../../packages/forecast/src/run/forecast-change.ts';
import { filledLedger } from '../../packages/forecast/src/restore/filled-ledger.ts';
import {
  createForecastWorld,
  type ForecastWorld,
  type WorldBeginning,
} from '../../packages/forecast/src/world/forecast-world.ts';
import type { ClusterPlan, WorkloadPlan } from '../../packages/simulation/src/histories/history.ts';
import {
  budgetManifest,
  classManifest,
  policyManifest,
  poolManifest,
  workloadManifest,
} from '../../packages/simulation/src/histories/manifests.ts';
import { createSnappedGroups, type SnappedGroups } from './snapped-groups.ts';

const clusterName = 'sandbox';

/** Of the world that goes on. The one before has another: the same names would be drawn a second time. */
export const laterSeed = 7;

/** A world that has come up, what is kept of it, and a snapshot of it. */
export type SnappedWorld = { readonly ledger: Ledger; readonly beginning: WorldBeginning; readonly snapshot: Snapshot };

/** A cluster of a seed comes up for so many minutes, and stops. */
export const snapCluster = (seed: string, minutes: number): Promise<SnappedWorld> =>
  snapAfter({ seed, cluster: drawHistory(seed, { nodes: 4 }).cluster, minutes });

/** What happens to a cluster before it is read. */
export type SnappedPast = {
  readonly seed: string;
  readonly cluster: ClusterPlan;
  /** How long it comes up. */
  readonly minutes: number;
  /** What was done to it then, and may be under way when it is read. */
  readonly underWay?: { readonly change: Partial<ForecastChange>; readonly minute: number };
  readonly groups?: SnappedGroups;
};

export async function snapAfter({
  seed,
  cluster,
  minutes: length,
  underWay,
  groups,
}: SnappedPast): Promise<SnappedWorld> {
  const ledger = filledLedger(new Map());
  const beginning: WorldBeginning = {
    start: '2025-03-03T06:00:00Z',
    clusterName,
    kubernetesVersion: cluster.kubernetesVersion,
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    releases: builtInReleases(),
    ledger,
  };
  const world = await createForecastWorld(beginning, { seed: laterSeed + 1 + numberIn(seed) });
  await world.start();
  const start = world.time.clock.now();
  if (groups !== undefined) await createSnappedGroups(world, groups, beginning);
  await bringUp(world, cluster);
  if (underWay !== undefined) {
    await world.time.run(instant(start + minutes(underWay.minute)));
    await makeChange(world, { manifests: [], releases: [], ...underWay.change });
  }
  await world.time.run(instant(start + minutes(length)));
  const snapshot = await snapWorld(world);
  const takenAt = toTimestamp(world.time.clock.now());
  const kept = copyOfLedger(ledger);
  await world.stop();
  const releases = publishedBefore(beginning.releases, takenAt);
  return { ledger: kept, beginning: { ...beginning, start: takenAt, releases }, snapshot };
}

const numberIn = (seed: string): number => Number.parseInt(seed.replaceAll(/\D/g, ''), 10) || 0;

/** What AWS publishes later is in no snapshot. */
const publishedBefore = (history: ReleaseHistory, at: string): ReleaseHistory => ({
  minors: history.minors,
  of: (minor) => history.of(minor).filter(({ publishedAt }) => publishedAt <= at),
});

export const copyOfLedger = (ledger: Ledger): Ledger =>
  filledLedger(new Map(ledger.names().map((name) => [name, new Map(ledger.map(name))])));

const workloadTypes: Readonly<Record<WorkloadPlan['kind'], ResourceType>> = {
  Deployment: deployments,
  StatefulSet: statefulSets,
  DaemonSet: daemonSets,
};

async function bringUp({ admin, time }: ForecastWorld, { pools, workloads, policy }: ClusterPlan): Promise<void> {
  const families = new Set(pools.map(({ family }) => family));
  const apply = <T>(work: Promise<T>): Promise<T> => time.finish(work);
  if (policy !== undefined) await apply(admin.create(nodeRolloutPolicies, policyManifest(policy)));
  for (const family of families) await apply(admin.create(ec2NodeClasses, classManifest(family, clusterName)));
  for (const pool of pools) await apply(admin.create(nodePools, poolManifest(pool)));
  for (const workload of workloads) {
    await apply(admin.create(workloadTypes[workload.kind], workloadManifest(workload)));
    if (workload.maxUnavailable !== undefined)
      await apply(admin.create(podDisruptionBudgets, budgetManifest(workload, workload.maxUnavailable)));
  }
}

/** A snapshot as it is after it was written to a file and read again. */
export async function snapWorld({ time, admin, aws }: ForecastWorld): Promise<Snapshot> {
  const { clock, gate } = time;
  const clients = createInProcessClients({ gate, answer: aws.answer });
  const random = seededRandom(1);
  const place = { clock, gate, random, clients, clusterName, region: 'us-east-1' };
  const sources = { ...place, client: admin, cloud: createAwsCloud(place), now: clock.now() };
  return decodeSnapshot(encodeSnapshot(await time.finish(takeSnapshot(sources, new AbortController().signal))));
}

import {
  deployments,
  ec2NodeClasses,
  fromTimestamp,
  instant,
  nodePools,
  podDisruptionBudgets,
  type ResourceType,
  statefulSets,
  toTimestamp,
} from '@nodewright/apis';
import { builtInReleases, type ReleaseHistory } from '@nodewright/aws-endpoints';
import { decodeSnapshot, encodeSnapshot, type Snapshot, takeSnapshot } from '@nodewright/forecast';
import type { ObjectWrite } from '@nodewright/kube-api';
import { createAwsCloud, createInProcessClients } from '@nodewright/provider-aws';
import { type Ledger, seededRandom } from '@nodewright/runtime';
import { drawHistory, type History } from '@nodewright/simulation';
import { filledLedger } from '../../packages/forecast/src/restore/filled-ledger.ts';
import {
  createForecastWorld,
  type ForecastWorld,
  restoreWorld,
  type WorldBeginning,
} from '../../packages/forecast/src/world/forecast-world.ts';
import {
  budgetManifest,
  classManifest,
  poolManifest,
  workloadManifest,
} from '../../packages/simulation/src/histories/manifests.ts';

const minute = 60_000;
const clusterName = 'sandbox';

/** Of the world that goes on. The one before has another: the same names would be drawn a second time. */
const laterSeed = 7;

/** A world that has come up, what is kept of it, and a snapshot of it. */
export type SnappedWorld = { readonly ledger: Ledger; readonly beginning: WorldBeginning; readonly snapshot: Snapshot };

/** A cluster of a seed comes up for so many minutes, and stops. */
export async function snapCluster(seed: string, minutes: number): Promise<SnappedWorld> {
  const { cluster } = drawHistory(seed, { nodes: 4 });
  return snapAfter(cluster, minutes, laterSeed + 1 + (Number.parseInt(seed.replaceAll(/\D/g, ''), 10) || 0));
}

async function snapAfter(cluster: History['cluster'], minutes: number, seed: number): Promise<SnappedWorld> {
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
  const world = await createForecastWorld(beginning, { seed });
  await world.start();
  await bringUp(world, cluster);
  await world.time.run(instant(world.time.clock.now() + minutes * minute));
  const snapshot = await snapWorld(world);
  const takenAt = toTimestamp(world.time.clock.now());
  const kept = copyOf(ledger);
  await world.stop();
  const releases = publishedBefore(beginning.releases, takenAt);
  return { ledger: kept, beginning: { ...beginning, start: takenAt, releases }, snapshot };
}

/** What AWS publishes later is in no snapshot. */
const publishedBefore = (history: ReleaseHistory, at: string): ReleaseHistory => ({
  minors: history.minors,
  of: (minor) => history.of(minor).filter(({ publishedAt }) => publishedAt <= at),
});

const copyOf = (ledger: Ledger): Ledger =>
  filledLedger(new Map(ledger.names().map((name) => [name, new Map(ledger.map(name))])));

async function bringUp({ admin, time }: ForecastWorld, { pools, workloads }: History['cluster']): Promise<void> {
  const families = new Set(pools.map(({ family }) => family));
  const apply = <T>(work: Promise<T>): Promise<T> => time.finish(work);
  for (const family of families) await apply(admin.create(ec2NodeClasses, classManifest(family, clusterName)));
  for (const pool of pools) await apply(admin.create(nodePools, poolManifest(pool)));
  for (const workload of workloads) {
    const type =
      workload.kind === 'Deployment' ? deployments : workload.kind === 'StatefulSet' ? statefulSets : undefined;
    if (type !== undefined) await apply(admin.create(type as ResourceType, workloadManifest(workload)));
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

/** What became of nodes and pods after a change of every pool, with instants. */
export async function playChange(
  open: (onWrite: (write: ObjectWrite) => void) => Promise<ForecastWorld>,
  minutes: number,
): Promise<readonly string[]> {
  const lines: string[] = [];
  let now = (): number => 0;
  const world = await open(({ type, collection, object }) => {
    if (!/^(nodes|nodeclaims|pods)/.test(collection) || type === 'MODIFIED') return;
    lines.push(`${new Date(now()).toISOString()} ${type} ${collection} ${object.metadata.name}`);
  });
  now = () => world.time.clock.now();
  const { admin, time } = world;
  for (const { metadata } of (await time.finish(admin.list(nodePools))).items) {
    const patch = { spec: { template: { metadata: { labels: { round: 'second' } } } } };
    await time.finish(admin.patch(nodePools, { name: metadata.name }, { type: 'merge', patch }));
  }
  await world.start();
  await time.run(instant(time.clock.now() + minutes * minute));
  await world.stop();
  return lines;
}

/** Plays the same change on the cluster that went on, and on the one that was restored from its snapshot. */
export async function playBoth(
  seed: string,
): Promise<{ readonly ran: readonly string[]; readonly foreseen: readonly string[] }> {
  const { ledger, beginning, snapshot } = await snapCluster(seed, 8 + (seed.length % 3));
  if (fromTimestamp(snapshot.takenAt) !== fromTimestamp(beginning.start)) throw new Error('another instant');
  const ran = await playChange(
    (onWrite) => createForecastWorld({ ...beginning, ledger }, { seed: laterSeed, onWrite }),
    12,
  );
  const foreseen = await playChange((onWrite) => restoreWorld(snapshot, { seed: laterSeed, onWrite }), 12);
  return { ran, foreseen };
}

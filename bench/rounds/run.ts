import { writeFileSync } from 'node:fs';
import { fromTimestamp, type KubernetesObject, byNumber } from '@nodewright/apis';
import type { SchedulingOptions } from '@nodewright/engine';
import { readClusterState } from '@nodewright/operator';
import type { InstanceTypePort } from '@nodewright/ports';
import { observeRound, type RoundSources } from '../../packages/operator/src/controllers/provisioning/observe.ts';
import { planRound } from '../../packages/operator/src/controllers/provisioning/plan.ts';
import type { CachedCollection } from '../../packages/operator/src/objects/collection.ts';
import { ClusterState } from '../../packages/operator/src/state/cluster-state.ts';
import { createObjects } from '../../packages/operator/src/state/objects.ts';
import { OverlaidTypes } from '../../packages/operator/src/state/overlaid-types.ts';
import type { Numbers } from '../measure.ts';
import { bound, cluster, listingClient, type Cluster } from './cluster.ts';
import { readFlags, readNumberFlag } from '../../scripts/flags/read-flags.ts';

const options: SchedulingOptions = { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' };
const now = fromTimestamp('2024-01-28T17:00:00Z');
const { signal } = new AbortController();

/**
 * What a round of the operator costs in a cluster of 5,000 nodes and 100,000 pods: `--pods` come, are decided on, and get
 * nodes, again and again. Then the same cluster is read from the API, as `nodewright explain` does. Milliseconds are
 * those of the processor.
 */
export async function benchRounds(argv: readonly string[]): Promise<void> {
  const values = readFlags(
    { command: 'npm run bench -- rounds', brief: 'Measures rounds of provisioning on a large cluster.' },
    {
      pods: { value: 'N', default: '100', brief: 'pods of a round' },
      rounds: { value: 'N', default: '20', brief: 'how many rounds' },
      json: { value: 'FILE', brief: 'also writes the results there' },
    },
    argv,
  );
  const large = cluster();
  const results = {
    rounds: await rounds(large, {
      pods: readNumberFlag('--pods', values.pods),
      count: readNumberFlag('--rounds', values.rounds),
    }),
    reading: await reading(large),
  };
  for (const [name, numbers] of Object.entries(results)) console.log(name, numbers);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
}

async function rounds(large: Cluster, { pods, count }: { pods: number; count: number }): Promise<Numbers> {
  const sources = sourcesOf(large);
  const { pods: known } = sources.objects;
  const took: number[] = [];
  let nodes = 0;
  for (let round = 0; round < count; round += 1) {
    const waiting = large.waiting(pods, round * pods);
    for (const pod of waiting) known.cache.seen(pod);
    const since = process.cpuUsage();
    const plan = planRound(await observeRound(sources, now, signal), options, now);
    took.push(millisecondsSince(since));
    nodes += plan.create.length;
    const standing = large.objects['nodes'] ?? [];
    for (const [index, pod] of waiting.entries())
      known.cache.seen(bound(pod, standing[(round * pods + index) % standing.length]?.metadata.name ?? ''));
  }
  const [first = 0, ...later] = took;
  return { pods, rounds: count, nodes, firstMs: first, laterMs: medianOf(later), heapMegabytes: heapMegabytes() };
}

async function reading(large: Cluster): Promise<Numbers> {
  const since = process.cpuUsage();
  const client = listingClient(large);
  const cloud = { instanceTypes: instanceTypesOf(large) };
  await readClusterState({ client, cloud, options, defaultSpread: [], now }, signal);
  return { ms: millisecondsSince(since), heapMegabytes: heapMegabytes() };
}

/** As the controllers have them once everything has been listed. */
function sourcesOf(large: Cluster): RoundSources {
  const objects = createObjects(listingClient(large));
  // Each collection only ever gets objects of its own kind.
  for (const { type, cache } of Object.values(objects) as unknown as readonly CachedCollection<KubernetesObject>[])
    for (const object of large.objects[type.plural] ?? []) cache.seen(object);
  return {
    objects,
    state: new ClusterState(objects),
    instanceTypes: instanceTypesOf(large),
    overlays: new OverlaidTypes(false),
    defaultSpread: [],
  };
}

const instanceTypesOf = ({ instanceTypes }: Cluster): InstanceTypePort => ({
  list: async () => instanceTypes,
  named: async () => [],
});

function millisecondsSince(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return Math.round((user + system) / 1_000);
}

const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted(byNumber)[Math.floor(numbers.length / 2)] ?? 0;

function heapMegabytes(): number {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().heapUsed / 1e6);
}

/**
 * What a cluster of the world below the wire costs, beside the same cluster on the wire in the same run: `--nodes` nodes with
 * `--pods` pods each come up, all of them are replaced, and then nothing happens for two days. `--wire` are the sizes that are
 * measured on the wire as well; `--phases` is what they go through after they came up. What woke the idle cluster is
 * printed with its counts.
 */
import { writeFileSync } from 'node:fs';
import {
  deployments,
  ec2NodeClasses,
  instant,
  nodePools,
  nodeRolloutPolicies,
  nodes,
  pods,
  type ResourceType,
  hours,
  minutes,
} from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import type { ClientWay } from '@nodewright/sandbox';
import { createEmbeddedWorld } from '../../packages/cli/src/world/embedded-world.ts';
import { deployment, nodeClass, nodePool } from '../../scenarios/support/fleet-story.ts';
import { measure, type Numbers } from '../measure.ts';
import { mostOf, WakeCounter } from './wakes.ts';
import { readNumberFlag } from '../../scripts/flags/read-flags.ts';
import { readForecastFlags } from './flags.ts';

/** No soak and no pace: how many nodes may be there at a time is what holds the others back. */
const policyWithoutGates = {
  metadata: { name: 'load' },
  spec: {
    waves: [{ name: 'all', nodes: '100%', soak: '0s' }],
    pace: { maxPerHour: 100_000, minInterval: '0s', maxSurge: 20 },
    protect: { unexpectedDrift: '100%' },
  },
};

const values = readForecastFlags(process.argv.slice(2));
const podsPerNode = readNumberFlag('--pods', values.pods);
const rows: Row[] = [];
for (const way of ['wire', 'direct'] as const) {
  for (const size of sizesOf(way === 'wire' ? values.wire : values.nodes)) {
    const told = { phases: new Set(values.phases.split(',')), counts: values.counts };
    rows.push(...(await rowsOf({ way, size, podsPerNode, isGoverned: values.policy }, told)));
  }
}
printTable(rows);
printGrowth(rows);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);

type Case = {
  readonly way: ClientWay;
  readonly size: number;
  readonly podsPerNode: number;
  readonly isGoverned: boolean;
};
type Row = Case & { readonly phase: string } & Numbers;

function sizesOf(text: string): readonly number[] {
  return text.split(',').filter(Boolean).map(Number);
}

type Told = { readonly phases: ReadonlySet<string>; readonly counts: boolean };

async function rowsOf(found: Case, { phases, counts }: Told): Promise<readonly Row[]> {
  const world = await aCluster(found.way);
  const rows: Row[] = [];
  const add = async (phase: string, work: () => Promise<void>): Promise<void> => {
    const row = { ...found, phase, ...(await measure(world, work)) } as Row;
    console.log(JSON.stringify(row));
    rows.push(row);
  };
  await add('come up', () => bringUp(world, found));
  if (counts) world.wakes.begin();
  if (phases.has('replaced')) await add('replaced', () => replaceAll(world, found));
  if (counts) console.table(mostOf(world.wakes.take(), 100));
  if (phases.has('idle')) {
    world.wakes.begin();
    await add('idle day', () => world.pass(24 * 60));
    console.table(mostOf(world.wakes.take()));
    await add('next day', () => world.pass(24 * 60));
    console.table(mostOf(world.wakes.take()));
  }
  await world.end();
  return rows;
}

async function aCluster(way: ClientWay) {
  const time = virtualTime(instant(Date.parse('2024-01-28T16:00:00Z')));
  const wakes = new WakeCounter();
  const world = await createEmbeddedWorld({
    clock: wakes.clock(time.clock),
    gate: wakes.gate(time.gate),
    random: seededRandom(1),
    clusterName: 'sandbox',
    kubernetesVersion: '1.28',
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    releases: builtInReleases(),
    controller: true,
    way,
  });
  await time.finish(world.start());
  const { admin } = world.sandbox;
  return {
    time,
    wakes,
    admin,
    apply: <T>(work: Promise<T>): Promise<T> => time.finish(work),
    pass: (lengthMinutes: number): Promise<void> => time.run(instant(time.clock.now() + minutes(lengthMinutes))),
    nodes: async () => (await time.finish(admin.list(nodes))).items,
    running: async () =>
      (await time.finish(admin.list(pods, { namespace: 'default' }))).items.filter(
        ({ status }) => status?.phase === 'Running',
      ).length,
    end: () => time.finish(world.stop()),
  };
}

type Cluster = Awaited<ReturnType<typeof aCluster>>;

async function bringUp(world: Cluster, { size, podsPerNode, isGoverned }: Case): Promise<void> {
  const pool = { name: 'load', nodes: size, budget: '10%' };
  await world.apply(world.admin.create(ec2NodeClasses, nodeClass));
  await world.apply(world.admin.create(nodePools, nodePool(pool)));
  if (isGoverned) await world.apply(world.admin.create(nodeRolloutPolicies, policyWithoutGates));
  await world.apply(world.admin.create(deployments as ResourceType, deployment(pool)));
  await until(world, async () => (await world.running()) === size);
  const small = deployment({ ...pool, name: 'small', nodes: size * (podsPerNode - 1) });
  const { template } = small.spec;
  const containers = template.spec.containers.map((each) => ({ ...each, resources: { requests: { cpu: '20m' } } }));
  const spec = { ...small.spec, template: { ...template, spec: { ...template.spec, nodeSelector: {}, containers } } };
  if (podsPerNode > 1)
    await world.apply(world.admin.create(deployments as ResourceType, Object.assign(small, { spec })));
  await until(world, async () => (await world.running()) === size * podsPerNode);
  await world.pass(5);
}

/** The pool wants another label on its nodes, so that all of them drift. */
async function replaceAll(world: Cluster, { size, podsPerNode }: Case): Promise<void> {
  const labels = { round: 'second' };
  const patch = { spec: { template: { metadata: { labels } } } };
  await world.apply(world.admin.patch(nodePools, { name: 'load' }, { type: 'merge', patch }));
  await until(world, async () => {
    const all = await world.nodes();
    const isNew = all.every(({ metadata }) => metadata.labels?.['round'] === labels.round);
    return isNew && all.length === size && (await world.running()) === size * podsPerNode;
  });
  await world.pass(5);
}

async function until(world: Cluster, holds: () => Promise<boolean>): Promise<void> {
  const before = world.time.clock.now() + hours(24);
  while (!(await holds())) {
    if (world.time.clock.now() > before) throw new Error('did not come true within a day');
    await world.pass(1);
  }
}

function printTable(rows: readonly Row[]): void {
  console.table(
    rows.map(({ way, size, phase, cpuSeconds = 0, heapMegabytes = 0, peakMegabytes = 0, virtualMinutes = 0 }) => {
      const wire = rows.find((row) => row.way === 'wire' && row.size === size && row.phase === phase)?.cpuSeconds;
      return {
        way,
        nodes: size,
        phase,
        'cpu s': cpuSeconds,
        'ms per node': msPerNode({ cpuSeconds, size }),
        'virtual min': virtualMinutes,
        'heap MB': heapMegabytes,
        'peak RSS MB': peakMegabytes,
        'wire / this': wire === undefined || cpuSeconds === 0 ? '' : Math.round((wire / cpuSeconds) * 10) / 10,
      };
    }),
  );
}

/** What a replaced node costs in a larger cluster, beside the next smaller one: it should not grow with the cluster. */
function printGrowth(rows: readonly Row[]): void {
  const replaced = rows.filter(({ way, phase }) => way === 'direct' && phase === 'replaced');
  for (const [at, larger] of replaced.entries()) {
    const smaller = replaced[at - 1];
    if (smaller === undefined) continue;
    const ratio = Math.round((msPerNode(larger) / msPerNode(smaller)) * 100) / 100;
    console.log(`a replaced node: ${larger.size} nodes / ${smaller.size} nodes = ${ratio}`);
  }
}

function msPerNode({ cpuSeconds = 0, size }: { readonly cpuSeconds?: number; readonly size: number }): number {
  return Math.round((cpuSeconds * 10_000) / size) / 10;
}

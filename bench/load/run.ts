import { writeFileSync } from 'node:fs';
import {
  deployments,
  ec2NodeClasses,
  instant,
  nodePools,
  nodes,
  pods,
  type ResourceType,
  hours,
  minutes,
} from '@nodewright/apis';
import { deployment, type FleetPool, nodeClass, nodePool, playFleet } from '../../scenarios/support/fleet-story.ts';
import { createMetrics } from '@nodewright/runtime';
import { forceWorld, type ForceWorld } from '../../scenarios/support/force-world.ts';
import { measure, type Numbers } from '../measure.ts';
import { readFlags, readNumberFlag } from '../../scripts/flags/read-flags.ts';

/**
 * A whole cluster with its operator on virtual time: `--pods` pending pods get nodes; then, in another one, `--nodes`
 * nodes in two pools are replaced after an upgrade of the control plane. Prints processor seconds, virtual minutes,
 * how many keys still wait for controllers, and memory that is still held at the end. With `--again` the nodes are replaced a second
 * time, and then nothing happens for a day: memory has to stay as it is.
 */
export async function benchLoad(argv: readonly string[]): Promise<void> {
  const values = readFlags(
    { command: 'npm run bench -- load', brief: 'Measures a whole cluster with its operator on virtual time.' },
    {
      pods: { value: 'N', default: '1000', brief: 'pending pods; 0 leaves them out' },
      nodes: { value: 'N', default: '200', brief: 'nodes that are replaced' },
      again: { brief: 'replaces the nodes a second time, and then waits for a day' },
      json: { value: 'FILE', brief: 'also writes the results there' },
    },
    argv,
  );
  const results: Record<string, Numbers> = {};
  const tell = (name: string, numbers: Numbers): void => {
    results[name] = numbers;
    console.log(name, numbers);
  };
  if (values.pods !== '0') tell('pending', await pendingPods(readNumberFlag('--pods', values.pods)));
  if (values.nodes !== '0') await rolls({ nodes: readNumberFlag('--nodes', values.nodes), again: values.again }, tell);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
}

const undisturbed = (): 'arrives' => 'arrives';

async function pendingPods(count: number): Promise<Numbers> {
  const metrics = createMetrics();
  const world = await forceWorld({ seed: 1, fate: undisturbed, metrics });
  const pool: FleetPool = { name: 'load', nodes: count, budget: '10%' };
  const measured = await measure(world, async () => {
    await world.apply(world.client.create(ec2NodeClasses, nodeClass));
    await world.apply(world.client.create(nodePools, { ...nodePool(pool), spec: openTo(pool) }));
    await world.apply(world.client.create(deployments as ResourceType, deployment(pool)));
    const before = instant(world.time.clock.now() + hours(1));
    await world.until(`${count} running pods`, async () => (await running(world)) >= count, before);
  });
  const queueDepth = queueDepthOf(await metrics.text());
  const launched = (await world.apply(world.client.list(nodes))).items.length;
  await world.stop();
  return { pods: count, nodes: launched, ...measured, queueDepth };
}

/** Any size of instance. */
const openTo = (pool: FleetPool) => {
  const { spec } = nodePool(pool);
  const requirements = spec.template.spec.requirements.filter(({ key }) => key !== 'karpenter.k8s.aws/instance-cpu');
  return { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, requirements } } };
};

async function running(world: ForceWorld): Promise<number> {
  const { items } = await world.apply(world.client.list(pods, { namespace: 'default' }));
  return items.filter(({ status }) => status?.phase === 'Running').length;
}

type Rolls = { readonly nodes: number; readonly again: boolean };

async function rolls({ nodes: count, again }: Rolls, tell: (name: string, numbers: Numbers) => void): Promise<void> {
  const metrics = createMetrics();
  const world = await forceWorld({ seed: 1, fate: undisturbed, metrics });
  const half = Math.floor(count / 2);
  const pools = [
    { name: 'plain', nodes: count - half, budget: '10%' },
    { name: 'guarded', nodes: half, budget: '10%' },
  ];
  const story = { pools, mayBeAway: Math.ceil(half / 10) };
  const measured = async (name: string, work: () => Promise<void>): Promise<void> => {
    const numbers = await measure(world, work);
    tell(name, { nodes: count, ...numbers, queueDepth: queueDepthOf(await metrics.text()) });
  };
  await measured('roll', () => playFleet(world, story));
  if (again) await measured('second roll', () => rollAgain(world, pools));
  if (again) await measured('idle day', () => world.advance(hours(24)));
  await world.stop();
}

/** The pools want another label on their nodes, so that all of them drift. */
async function rollAgain(world: ForceWorld, pools: readonly FleetPool[]): Promise<void> {
  const labels = { round: 'second' };
  for (const { name } of pools) {
    const patch = { spec: { template: { metadata: { labels } } } };
    await world.apply(world.client.patch(nodePools, { name }, { type: 'merge', patch }));
  }
  const total = pools.reduce((sum, pool) => sum + pool.nodes, 0);
  const isOver = async (): Promise<boolean> => {
    const all = (await world.apply(world.client.list(nodes))).items;
    return all.length === total && all.every(({ metadata }) => metadata.labels?.['round'] === labels.round);
  };
  await world.until(`${total} nodes of the second round`, isOver, instant(world.time.clock.now() + hours(4)));
  await world.advance(minutes(5));
}

/** Keys that wait for a turn, in the queues of all controllers. */
const queueDepthOf = (text: string): number =>
  [...text.matchAll(/^workqueue_depth\{[^}]*\} (\S+)$/gm)].reduce((sum, [, depth]) => sum + Number(depth), 0);

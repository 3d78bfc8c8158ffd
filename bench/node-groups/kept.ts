import { nodeGroups, podDisruptionBudgets, minutes } from '@nodewright/apis';
import { type GroupSpec, groupWorld, type GroupWorld } from '../../scenarios/support/group-world.ts';
import { measure, type Numbers } from '../measure.ts';

type Size = { readonly nodes: number; readonly groups: number };

/**
 * The same roll by the operator: Auto Scaling groups that NodeGroups keep, a pod on each node behind a budget.
 * Sandbox and operator share the process.
 */
export async function updateKept({
  nodes,
  groups,
}: Size): Promise<{ readonly creation: Numbers; readonly update: Numbers }> {
  const specs = Array.from({ length: groups }, (_, at): GroupSpec => ({
    name: `group-${at}`,
    kind: 'plain',
    size: Math.floor(nodes / groups),
  }));
  const before = { time: { clock: { now: () => 0 } } };
  let world: GroupWorld | undefined;
  const creation = await measure(before, async () => {
    world = await groupWorld(specs, { seed: 1, fate: () => 'arrives' });
  });
  if (world === undefined) throw new Error('there is no world');
  const made = world;
  return { creation, update: await measure(made, () => updateAll(made, specs)) };
}

async function updateAll(world: GroupWorld, specs: readonly GroupSpec[]): Promise<void> {
  const merge = (spec: object) => ({ type: 'merge', patch: { spec } }) as const;
  const budget = { name: 'web', namespace: 'default' };
  await world.apply(world.client.patch(podDisruptionBudgets, budget, merge({ maxUnavailable: '10%' })));
  await world.keep();
  for (const { name } of specs) {
    await world.apply(world.client.patch(nodeGroups, { name }, merge({ update: { maxUnavailable: 10 } })));
  }
  for (let look = 0; look < 120; look += 1) {
    await world.advance(minutes(5));
    const phases = (await world.nodeGroups()).map(({ status }) => status?.phase);
    if (phases.includes('Failed')) throw new Error(`an update failed: ${phases.join(', ')}`);
    if (phases.every((phase) => phase === 'UpToDate')) return;
  }
  throw new Error('the updates have not ended within ten hours');
}

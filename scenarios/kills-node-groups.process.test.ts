import { describe, expect, test } from 'vitest';
import { instant, type Node } from '@nodewright/apis';
import { type GroupSpec, groupWorld, type GroupWorld, targetImage } from './support/group-world.ts';
import { troubles } from './support/troubles.ts';

const minute = 60_000;
const managed: GroupSpec = { name: 'managed', kind: 'eks', size: 3 };
const plain: GroupSpec = { name: 'plain', kind: 'plain', size: 3 };
const other: GroupSpec = { name: 'other', kind: 'plain', size: 2 };

/** What an update must not leave on a node. */
const traces = ({ metadata, spec }: Node): readonly string[] => [
  ...(spec?.unschedulable === true ? ['cordoned'] : []),
  ...(spec?.taints ?? []).map(({ key }) => key),
  ...Object.keys(metadata.annotations ?? {}).filter((name) => name.includes('scale-down-disabled')),
  ...Object.keys(metadata.labels ?? {}).filter((name) => name.includes('exclude-from-external-load-balancers')),
];

/** Lets the updates run, and looks every 15 seconds how many pods serve. */
async function fewestServing(world: GroupWorld, groups: readonly GroupSpec[]): Promise<number> {
  let fewest = world.replicas;
  const isOver = async (): Promise<boolean> => {
    fewest = Math.min(fewest, await world.readyPods());
    const kept = await world.nodeGroups();
    return kept.filter(({ status }) => status?.phase === 'UpToDate').length === groups.length;
  };
  await world.until('every group up to date', isOver, instant(world.time.clock.now() + 6 * 60 * minute));
  return fewest;
}

async function expectUpdated(world: GroupWorld, group: GroupSpec): Promise<void> {
  const { instances, ...scaling } = await world.scaling(group);
  expect(instances.map(({ imageId }) => imageId)).toEqual(Array.from({ length: group.size }, () => targetImage));
  expect(scaling).toMatchObject({ desired: group.size, max: group.size + 1, suspended: [] });
  const kept = (await world.nodeGroups()).find(({ metadata }) => metadata.name === group.name);
  expect(kept?.status?.history).toMatchObject([{ number: 1, outcome: 'Successful' }]);
  expect(kept?.metadata.finalizers ?? []).toEqual([]);
  if (group.kind === 'eks') expect(await world.updates(group.name)).toHaveLength(1);
  else expect(await world.versions(group.name)).toHaveLength(2);
}

// What becomes of both kinds of groups in each trouble shows where all are updated at once. Alone, a group has no other
// whose turns hide that its own write was the last.
for (const { what, groups, fates } of [
  { what: 'a managed node group', groups: [managed], fates: troubles.slice(0, 1) },
  { what: 'an Auto Scaling group', groups: [plain], fates: troubles.slice(0, 1) },
  { what: 'three groups at once', groups: [managed, plain, other], fates: troubles },
]) {
  describe(`${what}: each update comes true once, leaving nothing behind, with an operator that`, () => {
    for (const { fact, fate } of fates) {
      test(fact, async () => {
        const world = await groupWorld(groups, { seed: 1, fate: fate() });
        await world.keep();
        expect(await fewestServing(world, groups)).toBeGreaterThanOrEqual(world.replicas - 1);
        await world.advance(2 * minute);
        for (const group of groups) await expectUpdated(world, group);
        expect((await world.nodes()).flatMap(traces)).toEqual([]);
        await world.stop();
      });
    }
  });
}

import { conditionOf, minutes, nodePools, nodeRolloutPolicies } from '@nodewright/apis';
import type { LaunchOutcome } from '@nodewright/ports';
import { aRolloutFleet, newImageId, passesWithin, provenImageId, quickWaves } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const refusals: readonly LaunchOutcome[] = [
  { kind: 'insufficientCapacity', message: 'no capacity in any zone' },
  { kind: 'refused', reason: 'LaunchFailed', message: 'VcpuLimitExceeded: the quota is used up' },
];

for (const refusal of refusals) {
  test(`replacements that end as ${refusal.kind} are tried ever more rarely, and halt nothing`, async () => {
    const fleet = await aRolloutFleet(2, quickWaves);
    const tried = new Set<string>();
    let isOver = false;
    fleet.cloud.fleet.refuse(({ claim, images: [first] }) => {
      if (isOver || first?.id !== newImageId) return undefined;
      tried.add(claim.metadata.name);
      return refusal;
    });
    const condition = async () =>
      conditionOf(
        (await fleet.apply(fleet.client.get(nodeRolloutPolicies, { name: 'production' }))) ?? {
          metadata: { name: '' },
        },
        'BackingOff',
      );
    fleet.publish();
    expect(await passesWithin(fleet, 10, async () => tried.size > 0)).toBe(true);
    await fleet.advance(minutes(32));
    expect(tried.size).toBeGreaterThan(3);
    expect(tried.size).toBeLessThanOrEqual(6);
    expect((await fleet.rollouts()).at(-1)?.status).toMatchObject({ state: 'Progressing', failed: 0 });
    expect(await condition()).toMatchObject({ status: 'True', reason: 'CannotReplace' });
    expect(new Set(await fleet.imagesOfNodes())).toEqual(new Set([provenImageId]));

    isOver = true;
    expect(
      await passesWithin(fleet, 120, async () => (await fleet.rollouts()).at(-1)?.status?.state === 'Complete'),
    ).toBe(true);
    expect(await condition()).toMatchObject({ status: 'False' });
    const pool = await fleet.apply(fleet.client.get(nodePools, { name: 'default' }));
    expect(pool?.metadata.annotations).not.toHaveProperty(['nodewright.dev/replacement-failures']);
    await fleet.stop();
  });
}

test('a node whose pods would have no other place gives its seat to others, and they all go once there is room', async () => {
  const fleet = await aRolloutFleet(2, quickWaves);
  const limitCpu = (cpu: string) =>
    fleet.apply(
      fleet.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch: { spec: { limits: { cpu } } } }),
    );
  await limitCpu('1');
  fleet.publish();
  const tried = async () =>
    (await fleet.claims()).filter(({ metadata }) =>
      metadata.annotations?.['nodewright.dev/replacement-failures']?.includes('would have no place'),
    );
  expect(await passesWithin(fleet, 30, async () => (await tried()).length === 2)).toBe(true);
  expect(new Set(await fleet.imagesOfNodes())).toEqual(new Set([provenImageId]));
  await limitCpu('10');
  expect(
    await passesWithin(fleet, 180, async () => (await fleet.rollouts()).at(-1)?.status?.state === 'Complete'),
  ).toBe(true);
  await fleet.stop();
});

import { minutes, nodeRolloutPolicies, nodeRollouts } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { groupWorld, targetImage } from '../support/group-world.ts';
import { killedAfterWrites } from '../support/troubles.ts';
import type { ForceOptions } from '../support/force-world.ts';

const workers = { name: 'workers', kind: 'plain', size: 3 } as const;
const spec = {
  waves: [
    { name: 'canary', nodes: 1, soak: '5m' },
    { name: 'all', nodes: '100%' },
  ],
  pace: { minInterval: '1s' },
};

const fates: readonly { readonly fact: string; readonly fate: ForceOptions['fate'] }[] = [
  { fact: 'with an operator that lives', fate: () => 'arrives' },
  { fact: 'with an operator that dies after every fifth write', fate: killedAfterWrites(5) },
];

for (const { fact, fate } of fates)
  test(`an Auto Scaling group of the embedded AWS goes node by node ${fact}`, async () => {
    const world = await groupWorld([workers], { seed: 1, fate });
    await world.apply(world.client.create(nodeRolloutPolicies, { metadata: { name: 'production' }, spec }));
    await world.keep();
    const rollout = async () => (await world.apply(world.client.list(nodeRollouts))).items.at(-1);
    const moves = new Set<string>();
    let fewestReady = world.replicas;
    for (let minute = 0; minute < 120 && (await rollout())?.status?.state !== 'Complete'; minute += 1) {
      await world.advance(minutes(1));
      const { instances } = await world.scaling(workers);
      const moved = instances.filter(({ imageId }) => imageId === targetImage).length;
      const wave = (await rollout())?.status?.wave;
      moves.add(`${wave}: ${moved} of ${instances.length}`);
      expect({ wave, most: wave === 'canary' ? moved : 0 }).toSatisfy(({ most }: { most: number }) => most <= 1);
      fewestReady = Math.min(fewestReady, await world.readyPods());
    }
    expect((await rollout())?.status).toMatchObject({ state: 'Complete', total: 3, updated: 3, ready: 3, failed: 0 });
    expect([...moves]).toContain('canary: 1 of 3');
    expect(fewestReady).toBeGreaterThanOrEqual(world.replicas - 1);
    await world.advance(minutes(5));
    expect(await world.scaling(workers)).toMatchObject({
      desired: 3,
      max: 4,
      suspended: [],
      template: { imageId: targetImage },
    });
    expect(await world.versions('workers')).toHaveLength(2);
    expect((await world.nodeGroups())[0]?.status).toMatchObject({ phase: 'UpToDate', nodes: { total: 3, updated: 3 } });
    expect((await world.nodes()).flatMap(({ spec: node }) => node?.taints ?? [])).toEqual([]);
    await world.stop();
  });

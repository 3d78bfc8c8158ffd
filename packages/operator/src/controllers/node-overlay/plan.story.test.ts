import type { EC2NodeClass, KubernetesObject } from '@nodewright/apis';
import { CloudError } from '@nodewright/ports';
import type { KubernetesClient } from '@nodewright/runtime';
import { aNodeClass, aNodeOverlay, aNodePool, anInstanceType } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { createObjects } from '../../state/objects.ts';
import { OverlaidTypes } from '../../state/overlaid-types.ts';
import { observeOverlays, type OverlaySources } from './observe.ts';
import { planOverlays } from './plan.ts';

const signal = new AbortController().signal;
const types = [anInstanceType('small'), anInstanceType('large', { cpu: 16 })];
const busy = new CloudError('busy', { code: 'RequestLimitExceeded', retry: 'backOff' });

const stored = <T extends KubernetesObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, uid: `${object.kind} ${object.metadata.name}`, resourceVersion: '1', generation: 1 },
});

const subnets = [{ id: 'subnet-a', zone: 'zone-a', zoneID: 'id-a' }];

const planIn = async (sources: OverlaySources) => planOverlays(await observeOverlays(sources, signal));

/** Pools by the name of their class; a class of that name is there and knows its subnets. */
function aCluster(pools: Readonly<Record<string, string>>) {
  const objects = createObjects({} as KubernetesClient);
  for (const [pool, nodeClass] of Object.entries(pools)) {
    const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: nodeClass };
    objects.nodePools.cache.seen(stored(aNodePool(pool, { nodeClassRef })));
    const known = aNodeClass({}, { subnets });
    objects.nodeClasses.cache.seen(stored({ ...known, metadata: { name: nodeClass } }));
  }
  objects.nodeOverlays.cache.seen(stored(aNodeOverlay('o', { price: '1' })));
  return objects;
}

test('a pool whose types cannot be listed keeps none of the others back, and recovers', async () => {
  const objects = aCluster({ good: 'good', bad: 'bad' });
  let isBroken = true;
  const list = async ({ metadata }: EC2NodeClass) => {
    if (isBroken && metadata.name === 'bad') throw busy;
    return types;
  };
  const sources = { objects, instanceTypes: { list } };
  const seen = await observeOverlays(sources, signal);
  const first = planOverlays(seen);
  expect([...first.standing.pools]).toEqual(['good']);
  expect(seen.failed.map(({ nodePool }) => nodePool.metadata.name)).toEqual(['bad']);
  expect(first.verdicts.get('o')).toEqual({ kind: 'accepted' });
  isBroken = false;
  expect([...(await planIn(sources)).standing.pools]).toEqual(['bad', 'good']);
});

test('a cloud without types makes every overlay count, for nothing', async () => {
  const { standing } = await planIn({
    objects: aCluster({ only: 'only' }),
    instanceTypes: { list: async () => [] },
  });
  expect(standing.accepted.map(({ metadata }) => metadata.name)).toEqual(['o']);
});

test('a pool that no overlay was held against yet gives nothing', async () => {
  const objects = aCluster({ known: 'known' });
  const overlays = new OverlaidTypes(true);
  const [known] = objects.nodePools.list();
  if (known === undefined) throw new Error('the pool is missing');
  expect(overlays.of(known, types)).toBeUndefined();
  overlays.stand((await planIn({ objects, instanceTypes: { list: async () => types } })).standing);
  expect(overlays.of(known, types)?.[0]?.offerings[0]?.priceMicroUsdPerHour).toBe(1_000_000);
  expect(overlays.of(aNodePool('unknown'), types)).toBeUndefined();
});

test('a pool gives the same list until types, pool or overlays change', async () => {
  const objects = aCluster({ known: 'known' });
  const overlays = new OverlaidTypes(true);
  const { standing } = await planIn({ objects, instanceTypes: { list: async () => types } });
  const [pool] = objects.nodePools.list();
  if (pool === undefined) throw new Error('the pool is missing');
  overlays.stand(standing);
  const first = overlays.of(pool, types);
  expect(overlays.of({ ...pool, status: {} }, types)).toBe(first);
  expect(overlays.of({ ...pool, metadata: { ...pool.metadata, generation: 2 } }, types)).not.toBe(first);
  overlays.stand({ ...standing, accepted: [] });
  expect(overlays.of(pool, types)).toBe(types);
});

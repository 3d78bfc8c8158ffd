import { instant, nodeGroups, type NodeGroup } from '@nodewright/apis';
import type { ManagedGroup } from '@nodewright/ports';
import {
  aGroupRelease,
  anAutomaticGroup,
  aWorldWithManagedGroup,
  createNodeGroup,
  nodeGroupStatusOf,
  type World,
  worldStart,
} from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

const minute = 60_000;
const hour = 60 * minute;

describe('a release that has to be old enough', () => {
  const day = 24 * hour;
  const baked: NodeGroup = {
    ...anAutomaticGroup(),
    spec: {
      ...anAutomaticGroup().spec,
      image: { amiSelectorTerms: [{ alias: 'al2@latest', minimumAgeDuration: '10d' }] },
    },
  };
  const old = aGroupRelease('v20240101', { recommended: false, publishedAt: instant(worldStart - 60 * day) });
  /** Ten days old in an hour. */
  const fresh = aGroupRelease('v20240117', { namedSince: instant(worldStart - 10 * day + hour) });

  test('begins its update in the very second in which it is', async () => {
    const world = await aWorldWithManagedGroup({ images: [old, fresh] });
    await createNodeGroup(world, baked);
    await world.advance(hour - 1000);
    expect(await nodeGroupStatusOf(world)).toMatchObject({ phase: 'UpToDate' });
    expect(world.cloud.managedGroups.requests).toEqual([]);
    await world.advance(30_000);
    expect((await nodeGroupStatusOf(world))?.update?.startedAt).toBe(
      new Date(worldStart + hour).toISOString().replace('.000', ''),
    );
    await world.stop();
  });

  test('counts from when the parameter was first seen to name it, which the status remembers', async () => {
    const world = await aWorldWithManagedGroup({ images: [old, fresh] });
    await createNodeGroup(world, baked);
    await world.advance(minute);
    expect((await nodeGroupStatusOf(world))?.imagesFirstSeen).toEqual({ 'ami-v20240117': '2024-01-18T17:00:00Z' });
    await world.stop();
    const later = aGroupRelease('v20240117', { namedSince: instant(worldStart + day) });
    const again = await aWorldWithManagedGroup({ images: [old, later] });
    await createNodeGroup(again, baked);
    const status = { imagesFirstSeen: { 'ami-v20240117': '2024-01-18T17:00:00Z' } };
    const patch = { type: 'merge', patch: { status } } as const;
    await again.apply(again.client.patch(nodeGroups, { name: 'default' }, patch, { subresource: 'status' }));
    await again.advance(hour + minute);
    expect(again.cloud.managedGroups.requests).toHaveLength(1);
    await again.stop();
  });
});

describe('LTP-1: a group whose template names the image', () => {
  const custom: Partial<ManagedGroup> = { release: 'ami-v20240101', template: { id: 'lt-own', version: '3' } };
  const own: NodeGroup = {
    ...anAutomaticGroup(),
    spec: { ...anAutomaticGroup().spec, image: { amiSelectorTerms: [{ id: 'ami-v20240117' }] } },
  };

  async function aCustomGroup(): Promise<World> {
    const world = await aWorldWithManagedGroup();
    const described = await world.cloud.managedGroups.describe('default');
    const { imageKind: _, ...rest } = described ?? {};
    world.cloud.managedGroups.put({ ...(rest as ManagedGroup), ...custom });
    world.cloud.scalingGroups.putTemplate('lt-own', ['ami-1', 'ami-2', 'ami-v20240101']);
    return world;
  }

  test('gets a version of its own template with the new image, and EKS is asked for that version', async () => {
    const world = await aCustomGroup();
    await createNodeGroup(world, own);
    await world.advance(5 * minute);
    expect(world.cloud.scalingGroups.log).toEqual(['template version 4: ami-v20240117']);
    expect(world.cloud.managedGroups.requests).toMatchObject([
      { target: { kind: 'template', id: 'lt-own', version: '4' } },
    ]);
    expect((await nodeGroupStatusOf(world))?.update).toMatchObject({ target: 'ami-v20240117', id: 'update-1' });
    await world.stop();
  });

  test('LT-1: is asked for one version, however often the operator dies around the call', async () => {
    for (let write = 1; write <= 4; write += 1) {
      const world = await aCustomGroup();
      await createNodeGroup(world, own);
      await world.crash({ afterWrite: write });
      await world.advance(5 * minute);
      const targets = new Set(world.cloud.managedGroups.requests.map(({ target }) => JSON.stringify(target)));
      expect([...targets]).toHaveLength(1);
      expect(world.cloud.scalingGroups.log).toHaveLength(1);
      await world.stop();
    }
  });
});

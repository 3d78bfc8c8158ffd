import { instant, nodeGroups, type Node, type NodeGroup, minutes } from '@nodewright/apis';
import type { ScalingGroup } from '@nodewright/ports';
import type { KubernetesClient } from '@nodewright/runtime';
import { aScalingGroup, anApp, aWorldWithGroup, groupOf, imagesOf, wanted } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { createObjects } from '../../state/objects.ts';
import { findGroupNodes } from './group-nodes.ts';

const aNode = (name: string, id: string, labels: Readonly<Record<string, string>> = {}): Node => ({
  metadata: { name, uid: name, resourceVersion: '1', labels },
  spec: { providerID: `aws:///us-east-1a/${id}` },
});

const labelled = { 'eks.amazonaws.com/nodegroup': 'workers' };

const aGroup = (...instances: readonly (readonly [id: string, name?: string])[]) =>
  ({
    instances: instances.map(([id, privateDnsName]) => ({
      id,
      zone: 'us-east-1a',
      lifecycle: 'InService',
      imageId: 'ami-1',
      launchedAt: instant(0),
      ...(privateDnsName === undefined ? {} : { privateDnsName }),
    })),
  }) as unknown as ScalingGroup;

const ofEks: NodeGroup = { metadata: { name: 'workers' }, spec: { eks: { name: 'workers' } } };

function namesOf(nodes: readonly Node[], group: ScalingGroup | undefined, nodeGroup = ofEks): readonly string[] {
  const objects = createObjects({} as KubernetesClient);
  for (const node of nodes) objects.nodes.cache.seen(node);
  return findGroupNodes(objects, nodeGroup, group).map(({ metadata }) => metadata.name);
}

describe('the nodes of a group', () => {
  test('are those of its instances, by name', () => {
    expect(namesOf([aNode('b', 'i-1'), aNode('a', 'i-2'), aNode('c', 'i-3')], aGroup(['i-1'], ['i-2']))).toEqual([
      'a',
      'b',
    ]);
  });

  test('are of several with the id of an instance the one that EC2 names so', () => {
    const nodes = [aNode('forged', 'i-1'), aNode('ip-1', 'i-1')];
    expect(namesOf(nodes, aGroup(['i-1', 'ip-1']))).toEqual(['ip-1']);
  });

  test('are not guessed: several of which EC2 names none stop the turn', () => {
    const nodes = [aNode('forged', 'i-1'), aNode('ip-1', 'i-1')];
    expect(() => namesOf(nodes, aGroup(['i-1']))).toThrow('several nodes carry the id of instance i-1: forged, ip-1');
  });

  test('are not those that only carry the label of the group', () => {
    expect(namesOf([aNode('a', 'i-1', labelled), aNode('b', 'i-2')], aGroup(['i-2']))).toEqual(['b']);
  });

  test('are those with the label where AWS tells of no Auto Scaling group', () => {
    expect(namesOf([aNode('a', 'i-1', labelled), aNode('b', 'i-2')], undefined)).toEqual(['a']);
  });
});

describe('a group that AWS does not describe during an update', () => {
  async function anUpdate() {
    const world = await aWorldWithGroup();
    await anApp(world);
    await world.apply(world.client.create(nodeGroups, aScalingGroup()));
    await world.advance(minutes(2));
    expect((await groupOf(world))?.status?.phase).toBe('Updating');
    world.cloud.scalingGroups.isHidden = true;
    return world;
  }

  test('for half a minute goes on with it', async () => {
    const world = await anUpdate();
    await world.advance(minutes(1) / 2);
    world.cloud.scalingGroups.isHidden = false;
    await world.advance(minutes(75));
    expect((await groupOf(world))?.status?.history?.map(({ outcome }) => outcome)).toEqual(['Successful']);
    expect(imagesOf(world)).toEqual([wanted, wanted, wanted]);
    await world.stop();
  });

  test('and never again has it fail', async () => {
    const world = await anUpdate();
    await world.advance(minutes(5));
    const [finished] = (await groupOf(world))?.status?.history ?? [];
    expect(finished).toMatchObject({ outcome: 'Failed', message: 'the Auto Scaling group is gone' });
    await world.stop();
  });
});

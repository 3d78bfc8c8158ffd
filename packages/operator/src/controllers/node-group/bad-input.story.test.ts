import { nodeGroups, type NodeGroup } from '@nodewright/apis';
import { ApiError } from '@nodewright/runtime';
import { beforeAll, describe, expect, test } from 'vitest';
import { aWorld, type World } from '@nodewright/testkit/worlds';

const image = { amiSelectorTerms: [{ alias: 'al2023@latest' }] };
const eks = { name: 'default' };
const autoScalingGroup = { name: 'workers' };

let world: World;
beforeAll(() => {
  world = aWorld();
});

const refusal = async (spec: object): Promise<string> => {
  const nodeGroup = { metadata: { name: 'bad' }, spec } as NodeGroup;
  return world.apply(
    world.client.create(nodeGroups, nodeGroup).then(
      () => 'taken',
      (error: unknown) => (error instanceof ApiError ? error.message : String(error)),
    ),
  );
};

describe('a NodeGroup is refused with the field and what would be right:', () => {
  for (const { fact, spec, says } of [
    { fact: 'of no group', spec: { image }, says: 'exactly one of eks and autoScalingGroup is needed' },
    {
      fact: 'of two groups',
      spec: { image, eks, autoScalingGroup },
      says: 'exactly one of eks and autoScalingGroup is needed',
    },
    {
      fact: 'OBJ-5: of a name that EKS would not take',
      spec: { image, eks: { name: '-default' } },
      says: 'spec.eks.name',
    },
    { fact: 'of an empty name', spec: { image, autoScalingGroup: { name: '' } }, says: 'spec.autoScalingGroup.name' },
    { fact: 'without a term', spec: { eks, image: { amiSelectorTerms: [] } }, says: 'spec.image.amiSelectorTerms' },
    {
      fact: 'with a term that says nothing',
      spec: { eks, image: { amiSelectorTerms: [{ minimumAgeDuration: '10d' }] } },
      says: 'a term needs tags, id, name, alias or ssmParameter',
    },
    {
      fact: 'with an id and an alias in one term',
      spec: { eks, image: { amiSelectorTerms: [{ id: 'ami-0123456789abcdef0', alias: 'al2@latest' }] } },
      says: 'id goes without alias',
    },
    {
      fact: 'with an age that is no duration',
      spec: { eks, image: { amiSelectorTerms: [{ alias: 'al2@latest', minimumAgeDuration: 'ten days' }] } },
      says: 'spec.image.amiSelectorTerms[0].minimumAgeDuration',
    },
    { fact: 'with an unknown mode', spec: { eks, image, update: { mode: 'Sometimes' } }, says: 'spec.update.mode' },
    {
      fact: 'MIN-1: with an unknown strategy',
      spec: { eks, image, update: { strategy: 'minimal' } },
      says: 'spec.update.strategy',
    },
    {
      fact: 'SET-4: with none at once',
      spec: { eks, image, update: { maxUnavailable: 0 } },
      says: 'spec.update.maxUnavailable',
    },
    {
      fact: 'SET-4: with more than a hundred at once',
      spec: { eks, image, update: { maxUnavailable: 101 } },
      says: 'spec.update.maxUnavailable',
    },
    {
      fact: 'SET-4: with more than all of them',
      spec: { eks, image, update: { maxUnavailablePercentage: 120 } },
      says: 'spec.update.maxUnavailablePercentage',
    },
    {
      fact: 'SET-4: with a number and a share',
      spec: { eks, image, update: { maxUnavailable: 1, maxUnavailablePercentage: 10 } },
      says: 'one of maxUnavailable and maxUnavailablePercentage at most',
    },
    {
      fact: 'with a time to drain that is no duration',
      spec: { autoScalingGroup, image, update: { drainTimeout: 'long' } },
      says: 'spec.update.drainTimeout',
    },
    {
      fact: 'UPG-3: with a time to drain for EKS',
      spec: { eks, image, update: { drainTimeout: '30m' } },
      says: 'update.drainTimeout is for Auto Scaling groups only; EKS gives the pods of a node 15 minutes',
    },
    {
      fact: 'FAIL-10: with a way back for EKS',
      spec: { eks, image, update: { onFailure: 'revert' } },
      says: 'update.onFailure is for Auto Scaling groups only; EKS decides that itself',
    },
    {
      fact: 'with force that is no boolean',
      spec: { eks, image, update: { force: 'yes' } },
      says: 'spec.update.force',
    },
  ]) {
    test(fact, async () => {
      expect(await refusal(spec)).toContain(says);
    });
  }

  test('that is another group from now on', async () => {
    const metadata = { name: 'fixed' };
    await world.apply(world.client.create(nodeGroups, { metadata, spec: { eks } }));
    const patch = { type: 'merge', patch: { spec: { eks: { name: 'other' } } } } as const;
    const changed = world.client.patch(nodeGroups, metadata, patch).then(
      () => 'taken',
      (error: unknown) => String(error),
    );
    expect(await world.apply(changed)).toContain('the group cannot change; make another NodeGroup');
  });
});

test('a NodeGroup that names its group is enough: it is watched only', async () => {
  const { spec } = await world.apply(world.client.create(nodeGroups, { metadata: { name: 'small' }, spec: { eks } }));
  expect(spec).toEqual({ eks });
});

import { CreatePlacementGroupCommand, DeletePlacementGroupCommand } from '@aws-sdk/client-ec2';
import { awsLabels, type EC2NodeClass, instant, type NodeClaim } from '@nodewright/apis';
import type { LaunchOutcome } from '@nodewright/ports';
import { seededRandom } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { anAwsAccount, clusterName, never, resolvedIn } from '@nodewright/testkit/worlds';
import { callAws } from '../../calls/call-aws.ts';
import { choosePartition } from './partition.ts';

type Strategy = 'cluster' | 'partition' | 'spread';

async function aWorld(strategy: Strategy, settings: { readonly zones?: 1 | 2 | 3 } = {}) {
  const { time, aws, machines, clients: connect, cloudWith } = anAwsAccount(settings);
  await aws.load();
  const clients = connect();
  const cloud = cloudWith({ clients });
  const call = callAws({ clock: time.clock, gate: time.gate, random: seededRandom(4) });
  const group = { GroupName: 'racks', Strategy: strategy, ...(strategy === 'partition' && { PartitionCount: 3 }) };
  const { PlacementGroup: made } = await time.finish(
    call((options) => clients.ec2.send(new CreatePlacementGroupCommand(group), options)),
  );
  const world = { time, aws, machines, cloud, groupId: made?.GroupId ?? '' };
  return {
    ...world,
    remove: () =>
      time.finish(
        call((options) => clients.ec2.send(new DeletePlacementGroupCommand({ GroupName: 'racks' }), options)),
      ),
    nodeClass: () => resolvedIn(world, aNodeClass({ name: 'racks' })),
    nodeClassWithout: () => resolvedIn(world, aNodeClass(undefined)),
    find: (selector: EC2NodeClass['spec']['placementGroupSelector']) =>
      time.finish(cloud.nodeClasses.placementGroup(aNodeClass(selector), never)),
    types: (nodeClass: EC2NodeClass) => time.finish(cloud.instanceTypes.list(nodeClass, never)),
    launch: (nodeClass: EC2NodeClass, claim: NodeClaim): Promise<LaunchOutcome> =>
      time.finish(
        (async () => {
          const all = await cloud.instanceTypes.list(nodeClass, never);
          const instanceTypes = all.filter(({ name }) => name === 'm5.large' || name === 'm5.xlarge');
          const images = nodeClass.status?.amis ?? [];
          return cloud.instances.launch({ claim, attempt: 1, nodeClass, instanceTypes, images }, never);
        })(),
      ),
  };
}

const tags = { 'alpha.eksctl.io/cluster-name': clusterName };
const aNodeClass = (placementGroupSelector: EC2NodeClass['spec']['placementGroupSelector']): EC2NodeClass => ({
  metadata: { name: 'default', uid: 'class-uid' },
  spec: {
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    role: `karpenterNodeRole-${clusterName}`,
    subnetSelectorTerms: [{ tags }],
    securityGroupSelectorTerms: [{ tags }],
    ...(placementGroupSelector !== undefined && { placementGroupSelector }),
  },
});

const aClaim = (name: string, requirements: NodeClaim['spec']['requirements'] = []): NodeClaim => ({
  metadata: { name, uid: `uid-${name}`, labels: { 'karpenter.sh/nodepool': 'default' } },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }, ...requirements],
  },
});

test('a group is found by name or id; one that is not there is no error', async () => {
  const { find, groupId } = await aWorld('partition');
  const group = { id: groupId, strategy: 'partition', partitionCount: 3 };
  expect(await find({ name: 'racks' })).toEqual(group);
  expect(await find({ id: groupId })).toEqual(group);
  expect(await find({ name: groupId })).toBe(undefined);
  expect(await find(undefined)).toBe(undefined);
});

test('an answer is believed for a minute; without one the last counts for launches only', async () => {
  const { find, remove, time, aws, nodeClass, types, groupId } = await aWorld('spread');
  const inGroup = await nodeClass();
  const idsOfTypes = async () => [
    ...((await types(inGroup))[0]?.requirements.get(awsLabels.placementGroupId)?.values ?? []),
  ];
  await find({ name: 'racks' });
  aws.faults.add({ kind: 'deny', operation: 'DescribePlacementGroups' });
  expect(await find({ name: 'racks' })).toBeDefined();
  await time.run(instant(time.clock.now() + 60_000));
  await expect(find({ name: 'racks' })).rejects.toThrow('DescribePlacementGroups');
  expect(await idsOfTypes()).toEqual([groupId]);
  aws.faults.clear();
  await remove();
  expect(await find({ name: 'racks' })).toBe(undefined);
  expect(await idsOfTypes()).toEqual([]);
});

test('types say their group, and in what partitions they may be; those with no place in it cannot be bought', async () => {
  const { nodeClass, types, groupId } = await aWorld('partition');
  const all = await types(await nodeClass());
  const m5 = all.find(({ name }) => name === 'm5.large');
  expect([...(m5?.requirements.get(awsLabels.placementGroupId)?.values ?? [])]).toEqual([groupId]);
  const partitions = m5?.offerings
    .filter(({ zone, capacityType }) => zone === 'us-east-1a' && capacityType === 'spot')
    .map(({ requirements }) => [...(requirements.get(awsLabels.placementGroupPartition)?.values ?? [])]);
  expect(partitions).toEqual([['1'], ['2'], ['3']]);

  const cluster = await aWorld('cluster');
  const inCluster = await cluster.types(await cluster.nodeClass());
  const m3 = inCluster.find(({ name }) => name.startsWith('m3.'));
  expect(m3?.offerings.some(({ available }) => available)).toBe(false);
  expect(m3?.offerings[0]?.shortage?.cause).toBe('the type has no place in cluster placement groups');
  expect(inCluster.some(({ offerings }) => offerings.some(({ available }) => available))).toBe(true);
});

test('an instance is launched into the group, in a partition that its claim admits, and says which', async () => {
  const { launch, nodeClass, aws, groupId } = await aWorld('partition');
  const partitionIn = (...values: string[]) =>
    [{ key: awsLabels.placementGroupPartition, operator: 'In' as const, values }] as const;
  const inGroup = await nodeClass();
  for (const { name, asked, possible } of [
    { name: 'a', asked: [], possible: [1, 2, 3] },
    { name: 'b', asked: partitionIn('2'), possible: [2] },
    { name: 'c', asked: partitionIn('1', '3'), possible: [1, 3] },
  ]) {
    const outcome = await launch(inGroup, aClaim(name, asked));
    if (outcome.kind !== 'launched') throw new Error(outcome.message);
    const { settings, partition = 0 } = aws.ec2.instances.get(outcome.instance.id) ?? { settings: undefined };
    expect(settings?.placement?.groupId).toBe(groupId);
    expect(possible).toContain(partition);
    const told = outcome.offering.requirements.get(awsLabels.placementGroupPartition)?.values ?? [];
    expect([...told]).toEqual([String(partition)]);
  }
});

test('an instance that an earlier call has launched is taken over with the partition it is in', async () => {
  const { launch, nodeClass, aws } = await aWorld('partition');
  const inGroup = await nodeClass();
  for (const name of ['a', 'b', 'c', 'd']) {
    const first = await launch(inGroup, aClaim(name));
    const id = first.kind === 'launched' ? first.instance.id : '';
    const { partition } = aws.ec2.instances.get(id) ?? {};
    const changed = { ...inGroup, spec: { ...inGroup.spec, tags: { changed: 'since' } } };
    const again = await launch(changed, aClaim(name));
    if (again.kind !== 'launched') throw new Error(again.message);
    expect(again.instance).toMatchObject({ id, partition: String(partition) });
    const told = again.offering.requirements.get(awsLabels.placementGroupPartition)?.values ?? [];
    expect([...told]).toEqual([String(partition)]);
  }
});

test('claims are spread over partitions, each always to the same', () => {
  const chosen = Array.from({ length: 300 }, (_, index) => choosePartition(`uid-${index}`, ['10', '9', '1']));
  for (const partition of ['1', '9', '10'])
    expect(chosen.filter((each) => each === partition).length).toBeGreaterThan(70);
  expect(choosePartition('uid-1', ['1', '9', '10'])).toBe(chosen[1]);
});

test('a zone in which a spread group is full is passed over for that group alone', async () => {
  const { launch, nodeClass, nodeClassWithout, types } = await aWorld('spread');
  const inGroup = await nodeClass();
  const outcomes = [];
  for (let index = 0; index < 15; index++) outcomes.push(await launch(inGroup, aClaim(`claim-${index}`)));
  const zones = outcomes.map((outcome) => (outcome.kind === 'launched' ? outcome.instance.zone : outcome.kind));
  expect(zones.filter((zone) => zone === 'us-east-1a')).toHaveLength(7);
  expect(zones.filter((zone) => zone === 'us-east-1b')).toHaveLength(7);
  expect(zones.at(-1)).toBe('insufficientCapacity');
  const available = async (placed: EC2NodeClass) =>
    (await types(placed))
      .find(({ name }) => name === 'm5.xlarge')
      ?.offerings.find(({ capacityType }) => capacityType === 'on-demand')?.available;
  expect(await available(inGroup)).toBe(false);
  expect(await available(await nodeClassWithout())).toBe(true);
});

test('a cluster stays in the zone of its first instance', async () => {
  const { launch, nodeClass } = await aWorld('cluster');
  const inGroup = await nodeClass();
  const first = await launch(inGroup, aClaim('first'));
  const zone = first.kind === 'launched' ? first.instance.zone : '';
  const elsewhere = [{ key: 'topology.kubernetes.io/zone', operator: 'NotIn' as const, values: [zone] }];
  expect((await launch(inGroup, aClaim('elsewhere', elsewhere))).kind).toBe('insufficientCapacity');
  expect(await launch(inGroup, aClaim('again'))).toMatchObject({ kind: 'launched', instance: { zone } });
});

import { type EC2NodeClass, fromTimestamp, instant } from '@nodewright/apis';
import type { FoundReservation, ManagedGroup } from '@nodewright/ports';
import { virtualTime } from '@nodewright/runtime';
import { anImage, aNodeClass } from '../an-image.ts';
import { anInstanceType } from '../an-instance-type.ts';
import { describeInstanceContract } from '../worlds/contracts/instances.ts';
import { describeInterruptionContract } from '../worlds/contracts/interruptions.ts';
import { describeAccountContract, describeMarketContract } from '../worlds/contracts/market.ts';
import { describeNodeClassContract } from '../worlds/contracts/node-classes.ts';
import { describeManagedGroupContract, describeScalingGroupContract } from '../worlds/contracts/node-groups.ts';
import { fakeCloud } from './fake-cloud.ts';
import { FakeInterruptions } from './fake-interruptions.ts';
import { FakeManagedGroups } from './fake-managed-groups.ts';
import { FakeScalingGroups } from './fake-scaling-groups.ts';

const start = fromTimestamp('2024-01-28T16:00:00Z');
const zones = ['us-east-1a', 'us-east-1b'];

const types = ['m5.large', 'm5.xlarge'].map((type, index) =>
  anInstanceType(type, {
    cpu: 2 + 2 * index,
    offerings: zones.flatMap((zone) => [
      [zone, 'on-demand', 96_000 * (index + 1)] as const,
      [zone, 'spot', 32_000 * (index + 1)] as const,
    ]),
  }),
);

const nodeClass: EC2NodeClass = aNodeClass(
  {},
  {
    subnets: zones.map((zone) => ({ id: `subnet-${zone}`, zone, zoneID: `id-of-${zone}` })),
    securityGroups: [{ id: 'sg-nodes', name: 'nodes' }],
    amis: [{ id: 'ami-1', name: 'image-ami-1', requirements: [] }],
    instanceProfile: 'profile-of-node-role',
  },
);

function aTime() {
  const time = virtualTime(start);
  return {
    clock: time.clock,
    now: () => time.clock.now(),
    finish: <T>(work: Promise<T>): Promise<T> => time.finish(work),
    pass: (ms: number): Promise<void> => time.run(instant(time.clock.now() + ms)),
  };
}

function aCloud() {
  const time = aTime();
  const cloud = fakeCloud({ now: time.now, instanceTypes: types, images: () => [anImage('ami-1')] });
  return { ...time, cloud, nodeClass };
}

const name = 'the fake cloud';

describeInstanceContract(name, aCloud);
describeMarketContract(name, aCloud);
describeNodeClassContract(name, aCloud);

const aReservation = (id: string): FoundReservation => ({
  id,
  instanceType: 'm5.large',
  zone: 'us-east-1b',
  ownerId: '111122223333',
  matchCriteria: 'targeted',
  type: 'default',
  interruptible: false,
  state: 'active',
});

describeAccountContract(name, () => {
  const account = aCloud();
  const reserved: FoundReservation[] = [];
  return {
    ...account,
    reserve: async () => {
      const id = `cr-${9 - reserved.length}`;
      reserved.push(aReservation(id));
      account.cloud.setReservations([...reserved]);
      return id;
    },
  };
});

describeInterruptionContract(name, () => {
  const time = aTime();
  const interruptions = new FakeInterruptions(time.clock);
  return {
    ...time,
    interruptions,
    announce: (id) => interruptions.send({ kind: 'spot_interrupted', instanceIds: [id] }),
  };
});

const workers: ManagedGroup = {
  name: 'workers',
  status: 'ACTIVE',
  kubernetesVersion: '1.28',
  release: '1.28.0-20240101',
  updateConfig: { maxUnavailable: 1 },
  issues: [],
};

describeManagedGroupContract(name, () => {
  const time = aTime();
  const managedGroups = new FakeManagedGroups(time.now);
  managedGroups.put(workers);
  return { ...time, managedGroups, kubernetesVersion: '1.28', newRelease: '1.28.0-20240201' };
});

describeScalingGroupContract(name, () => {
  const time = aTime();
  const scalingGroups = new FakeScalingGroups(time.now);
  scalingGroups.put({
    name: 'workers',
    min: 1,
    max: 4,
    desired: 3,
    zones,
    subnets: [],
    template: {
      id: 'lt-1',
      version: '1',
      isPinned: true,
      imageId: 'ami-old',
      instanceType: 'm5.large',
      market: 'onDemand',
      arch: 'amd64',
      variant: 'standard',
      versions: { 'ami-old': '1' },
    },
    instanceTypes: [],
    typesWithOwnTemplate: [],
    bought: { onDemand: 100 },
    suspended: [],
    warm: [],
    isRefreshing: false,
    hooks: [],
    tags: {},
    isOfCluster: true,
  });
  return { ...time, scalingGroups, newImage: 'ami-new' };
});

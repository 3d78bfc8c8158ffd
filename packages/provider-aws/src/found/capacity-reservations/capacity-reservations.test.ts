import { CancelCapacityReservationCommand, CreateCapacityReservationCommand } from '@aws-sdk/client-ec2';
import { type EC2NodeClass, instant, type NodeClaim } from '@nodewright/apis';
import type { LaunchOutcome } from '@nodewright/ports';
import { seededRandom } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { anAwsAccount, never, resolvedIn, accountStart } from '@nodewright/testkit/worlds';
import { callAws } from '../../calls/call-aws.ts';
import { reservationFrom } from './found-reservation.ts';

async function aWorld(options: { readonly reservedCapacity?: boolean } = {}) {
  const { time, aws, clients: connect, cloudWith } = anAwsAccount();
  await aws.load();
  const clients = connect();
  const cloud = cloudWith({ clients, ...options });
  const call = callAws({ clock: time.clock, gate: time.gate, random: seededRandom(4) });
  const reserve = async (count: number, more: object = {}): Promise<string> => {
    const { CapacityReservation: made } = await time.finish(
      call((options) =>
        clients.ec2.send(
          new CreateCapacityReservationCommand({
            InstanceType: 'm5.large',
            InstancePlatform: 'Linux/UNIX',
            InstanceCount: count,
            AvailabilityZone: 'us-east-1b',
            InstanceMatchCriteria: 'targeted',
            ...more,
          }),
          options,
        ),
      ),
    );
    return made?.CapacityReservationId ?? '';
  };
  return { time, aws, cloud, cloudWith, clients, call, reserve };
}

type World = Awaited<ReturnType<typeof aWorld>>;
type Terms = NonNullable<EC2NodeClass['spec']['capacityReservationSelectorTerms']>;

const classWith = (world: World, capacityReservationSelectorTerms: Terms): Promise<EC2NodeClass> =>
  resolvedIn(world, {
    metadata: { name: 'default', uid: 'class-uid' },
    spec: {
      amiSelectorTerms: [{ alias: 'al2@latest' }],
      role: 'karpenterNodeRole-demo',
      subnetSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': 'demo' } }],
      securityGroupSelectorTerms: [{ tags: { 'alpha.eksctl.io/cluster-name': 'demo' } }],
      capacityReservationSelectorTerms,
    },
  });

const aClaim = (name: string, requirements: NodeClaim['spec']['requirements'] = []): NodeClaim => ({
  metadata: { name, uid: `uid-${name}`, labels: { 'karpenter.sh/nodepool': 'default' } },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements },
});

const launch = ({ cloud, time }: World, nodeClass: EC2NodeClass, claim: NodeClaim): Promise<LaunchOutcome> =>
  time.finish(
    (async () => {
      const instanceTypes = await cloud.instanceTypes.list(nodeClass, never);
      const images = nodeClass.status?.amis ?? [];
      return cloud.instances.launch({ claim, attempt: 1, nodeClass, instanceTypes, images }, never);
    })(),
  );

const reservedOfferings = async ({ cloud, time }: World, nodeClass: EC2NodeClass) =>
  (await time.finish(cloud.instanceTypes.list(nodeClass, never)))
    .flatMap(({ name, offerings }) => offerings.map((offering) => ({ name, ...offering })))
    .filter(({ capacityType }) => capacityType === 'reserved')
    .map(({ name, zone, available, reservation }) => [name, zone, available, reservation?.remaining]);

describe('reservations are found', () => {
  test('by the ids that nodes carry, whatever a class selects, until they are cancelled', async () => {
    const world = await aWorld();
    const id = await world.reserve(1);
    const named = async () =>
      (await world.time.finish(world.cloud.capacityReservations.named([id, 'cr-0gone'], never))).map((each) => each.id);
    expect(await named()).toEqual([id]);
    await world.time.finish(
      world.call((options) =>
        world.clients.ec2.send(new CancelCapacityReservationCommand({ CapacityReservationId: id }), options),
      ),
    );
    await world.time.run(instant(world.time.clock.now() + 60_000));
    expect(await named()).toEqual([]);
  });

  test('by id, by tags, by criteria and owner, each once, without those that are gone', async () => {
    const world = await aWorld();
    const TagSpecifications = [{ ResourceType: 'capacity-reservation', Tags: [{ Key: 'team', Value: 'red' }] }];
    const tagged = await world.reserve(1, { TagSpecifications });
    const open = await world.reserve(1, { InstanceMatchCriteria: 'open' });
    const found = async (terms: Terms) =>
      (await world.time.finish(world.cloud.nodeClasses.capacityReservations(await classWith(world, terms), never))).map(
        ({ id }) => id,
      );
    expect(await found([{ id: tagged }, { id: 'cr-0gone' }])).toEqual([tagged]);
    expect(await found([{ tags: { team: '*' } }, { id: tagged }])).toEqual([tagged]);
    expect(await found([{ instanceMatchCriteria: 'open' }])).toEqual([open]);
    expect(await found([{ tags: { team: 'red' }, ownerID: '000000000000' }])).toEqual([]);
    const cancel = new CancelCapacityReservationCommand({ CapacityReservationId: open });
    await world.time.finish(world.call((options) => world.clients.ec2.send(cancel, options)));
    await world.time.run(instant(world.time.clock.now() + 61_000));
    expect(await found([{ instanceMatchCriteria: 'open' }])).toEqual([]);
  });

  test('not at all without a selector, or while the gate is off', async () => {
    const world = await aWorld({ reservedCapacity: false });
    const id = await world.reserve(1);
    const asked = () => world.aws.calls().filter(({ operation }) => operation === 'DescribeCapacityReservations');
    const nodeClass = await classWith(world, [{ id }]);
    expect(await world.time.finish(world.cloud.nodeClasses.capacityReservations(nodeClass, never))).toEqual([]);
    expect(await reservedOfferings(world, nodeClass)).toEqual([]);
    expect(asked()).toEqual([]);
  });
});

describe('a launch', () => {
  test('takes a place in the reservation, and counts it', async () => {
    const world = await aWorld();
    const id = await world.reserve(2);
    const nodeClass = await classWith(world, [{ id }]);
    expect(await reservedOfferings(world, nodeClass)).toEqual([['m5.large', 'us-east-1b', true, 2]]);
    const outcome = await launch(world, nodeClass, aClaim('a'));
    if (outcome.kind !== 'launched') throw new Error(outcome.message);
    expect(outcome.instance).toMatchObject({ capacityType: 'reserved', reservationId: id, instanceType: 'm5.large' });
    expect(await reservedOfferings(world, nodeClass)).toEqual([['m5.large', 'us-east-1b', true, 1]]);
    const seen = await world.time.finish(world.cloud.instances.get(outcome.instance.providerId, never));
    expect(seen).toMatchObject({ capacityType: 'reserved', reservationId: id });
  });

  test('that finds the reservation full is out of that reservation alone', async () => {
    const world = await aWorld();
    const id = await world.reserve(1);
    const nodeClass = await classWith(world, [{ id }]);
    const reserved: NodeClaim['spec']['requirements'] = [
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['reserved'] },
    ];
    // Somebody else took the place since it was counted.
    const other = aCloudBeside(world);
    await reservedOfferings(world, nodeClass);
    await launch({ ...world, cloud: other }, nodeClass, aClaim('b', reserved));
    expect(await launch(world, nodeClass, aClaim('a', reserved))).toMatchObject({ kind: 'insufficientCapacity' });
    expect(await reservedOfferings(world, nodeClass)).toEqual([['m5.large', 'us-east-1b', false, 0]]);
    expect(await launch(world, nodeClass, aClaim('c'))).toMatchObject({ kind: 'launched' });
  });

  test('of anything else leaves open reservations alone', async () => {
    const world = await aWorld();
    const id = await world.reserve(1, { InstanceMatchCriteria: 'open' });
    const nodeClass = await classWith(world, []);
    const place: NodeClaim['spec']['requirements'] = [
      { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
      { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1b'] },
    ];
    const types = (await world.time.finish(world.cloud.instanceTypes.list(nodeClass, never))).filter(
      ({ name }) => name === 'm5.large',
    );
    const request = { claim: aClaim('a', place), attempt: 1, nodeClass, instanceTypes: types };
    const images = nodeClass.status?.amis ?? [];
    await world.time.finish(world.cloud.instances.launch({ ...request, images }, never));
    const [found] = await world.time.finish(
      world.cloud.nodeClasses.capacityReservations(await classWith(world, [{ id }]), never),
    );
    expect(found?.id).toBe(id);
    expect(await reservedOfferings(world, await classWith(world, [{ id }]))).toEqual([
      ['m5.large', 'us-east-1b', true, 1],
    ]);
  });

  test('that has ended for certain gives its place back', async () => {
    const world = await aWorld();
    const nodeClass = await classWith(world, [{ id: await world.reserve(1) }]);
    const outcome = await launch(world, nodeClass, aClaim('a'));
    if (outcome.kind !== 'launched') throw new Error(outcome.message);
    const { providerId } = outcome.instance;
    expect((await reservedOfferings(world, nodeClass))[0]?.[3]).toBe(0);
    await world.time.finish(world.cloud.instances.terminate(providerId, never));
    await world.time.run(instant(world.time.clock.now() + 50_000));
    expect(await world.time.finish(world.cloud.instances.terminate(providerId, never))).toBe('gone');
    expect((await reservedOfferings(world, nodeClass))[0]?.[3]).toBe(1);
  });
});

/** Another controller in the same account. */
const aCloudBeside = ({ cloudWith, clients }: World) => cloudWith({ random: seededRandom(3), clients });

describe('what EC2 describes', () => {
  const minuteMs = 60_000;
  const described = {
    CapacityReservationId: 'cr-1',
    InstanceType: 'p5.48xlarge',
    AvailabilityZone: 'us-east-1a',
    OwnerId: '111122223333',
    InstanceMatchCriteria: 'targeted',
  } as const;
  const endsIn = (minutes: number) => ({ EndDate: new Date(accountStart + minutes * minuteMs) });

  for (const { fact, different, state } of [
    { fact: 'a reservation without an end is active', different: {}, state: 'active' },
    { fact: 'a standard one is active to its end', different: endsIn(1), state: 'active' },
    { fact: 'one that has ended is none', different: endsIn(0), state: undefined },
    {
      fact: 'a capacity block is active until forty minutes before its end',
      different: { ReservationType: 'capacity-block', ...endsIn(41) },
      state: 'active',
    },
    {
      fact: 'a capacity block is expiring from then on',
      different: { ReservationType: 'capacity-block', ...endsIn(40) },
      state: 'expiring',
    },
    { fact: 'a kind nobody knows is none', different: { ReservationType: 'lottery' }, state: undefined },
    { fact: 'criteria nobody knows are none', different: { InstanceMatchCriteria: 'psychic' }, state: undefined },
  ]) {
    test(fact, () => {
      // The SDK's types know fewer words than EC2 may come to use.
      expect(
        reservationFrom({ ...described, ...different } as Parameters<typeof reservationFrom>[0], accountStart)?.state,
      ).toBe(state);
    });
  }

  test('is interruptible only when it says so', () => {
    expect(reservationFrom(described, accountStart)?.interruptible).toBe(false);
    expect(reservationFrom({ ...described, Interruptible: true }, accountStart)?.interruptible).toBe(true);
  });
});

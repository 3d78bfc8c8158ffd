import {
  conditionOf,
  deployments,
  ec2NodeClasses,
  instant,
  nodeClaims,
  nodePools,
  nodes,
  pods,
  type KubernetesObject,
  type NodeClaim,
  type ResourceType,
} from '@nodewright/apis';
import type { AwsCall, Fault } from '@nodewright/aws-endpoints';
import { describe, expect, test } from 'vitest';
import { deployment, nodeClass, nodePool } from './support/fleet-story.ts';
import { type ForceOptions, forceWorld, type ForceWorld } from './support/force-world.ts';
import { expectNothingLost } from './support/troubles.ts';

const second = 1_000;
const minute = 60 * second;
const pool = { name: 'plain', nodes: 1, budget: '1' };

type Event = KubernetesObject & {
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly kind: string };
};
const events: ResourceType<Event> = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true };

/** A cluster whose NodePool is ready, where no pod waits yet. */
async function aReadyCluster(fate: ForceOptions['fate'] = () => 'arrives'): Promise<ForceWorld> {
  const world = await forceWorld({ seed: 1, fate });
  const { template, ...spec } = nodePool(pool).spec;
  const [cpu, arch] = template.spec.requirements ?? [];
  const requirements = [cpu, arch].flatMap((each) => each ?? []);
  await world.apply(world.client.create(ec2NodeClasses, nodeClass));
  await world.apply(
    world.client.create(nodePools, {
      ...nodePool(pool),
      spec: { ...spec, template: { ...template, spec: { ...template.spec, requirements } } },
    }),
  );
  await world.advance(minute);
  return world;
}

const deploy = (world: ForceWorld) => world.apply(world.client.create(deployments as ResourceType, deployment(pool)));

const claimsOf = async (world: ForceWorld): Promise<readonly NodeClaim[]> =>
  (await world.apply(world.client.list(nodeClaims))).items;

const launchedOf = async (world: ForceWorld) => {
  const [claim] = await claimsOf(world);
  return claim && conditionOf(claim, 'Launched');
};

async function comesUp(world: ForceWorld, withinMs = 6 * minute): Promise<void> {
  const runs = async (): Promise<boolean> =>
    (await world.apply(world.client.list(pods, { namespace: 'default' }))).items.some(
      ({ status }) => status?.phase === 'Running',
    );
  await world.until('the pod runs', runs, instant(world.time.clock.now() + withinMs));
  await expectNothingLost(world);
}

const isLaunch = ({ operation, input }: AwsCall): boolean =>
  operation === 'CreateFleet' && (input as { readonly DryRun?: boolean }).DryRun !== true;

const capacityTypes = async (world: ForceWorld) =>
  (await world.apply(world.client.list(nodes))).items.map(
    ({ metadata }) => metadata.labels?.['karpenter.sh/capacity-type'],
  );

describe('when EC2 has nothing to sell, the claim is given up with an event, and others follow until there is', () => {
  test.each<Fault>([
    { kind: 'insufficient-capacity' },
    { kind: 'launch-failure', code: 'VcpuLimitExceeded' },
    { kind: 'launch-failure', code: 'MaxFleetCountExceeded' },
    { kind: 'launch-failure', code: 'InsufficientFreeAddressesInSubnet' },
  ])('%j', async (fault) => {
    const world = await aReadyCluster();
    world.sandbox.aws.faults.add(fault);
    await deploy(world);
    await world.advance(2 * minute);
    expect(world.launches()).toEqual([]);
    const told = (await world.apply(world.client.list(events))).items.filter(
      ({ reason }) => reason === 'InsufficientCapacityError',
    );
    expect(told[0]?.message).toContain(fault.kind === 'launch-failure' ? fault.code : 'InsufficientInstanceCapacity');
    expect(told[0]?.involvedObject.kind).toBe('NodeClaim');
    // Each offering is asked for once while it is remembered as sold out.
    expect(told.length).toBeLessThan(10);
    world.sandbox.aws.faults.clear();
    await comesUp(world);
    await world.stop();
  });
});

describe('when only spot cannot be had, an on-demand node comes', () => {
  test.each<Fault>([
    { kind: 'insufficient-capacity', capacityType: 'spot' },
    { kind: 'launch-failure', code: 'MaxSpotInstanceCountExceeded', capacityType: 'spot' },
    { kind: 'launch-failure', code: 'AuthFailure.ServiceLinkedRoleCreationNotPermitted', capacityType: 'spot' },
  ])('%j', async (fault) => {
    const world = await aReadyCluster();
    world.sandbox.aws.faults.add(fault);
    await deploy(world);
    await comesUp(world, 2 * minute);
    expect(await capacityTypes(world)).toEqual(['on-demand']);
    await world.stop();
  });
});

describe('a launch that is refused is told on the claim, tried again ever more rarely, and comes true in the end', () => {
  const call = { kind: 'refusal', operation: 'CreateFleet' } as const;
  test.each<{ reason: string; fault: Fault; asked?: number }>([
    { reason: 'LaunchFailed', fault: { kind: 'throttle', operation: 'CreateFleet' }, asked: 32 },
    { reason: 'LaunchFailed', fault: { ...call, code: 'InternalError' }, asked: 32 },
    { reason: 'Unauthorized', fault: { ...call, code: 'UnauthorizedOperation' } },
    {
      reason: 'SecurityGroupSubnetVPCMismatch',
      fault: { ...call, code: 'InvalidParameter', message: 'Security group and subnet belong to different networks.' },
    },
    {
      reason: 'InstanceProfileNameInvalid',
      fault: {
        kind: 'launch-failure',
        code: 'InvalidParameterValue',
        message: 'Value (x) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name',
      },
    },
    {
      reason: 'LaunchTemplateNotFound',
      fault: { kind: 'launch-failure', code: 'InvalidLaunchTemplateName.NotFoundException' },
    },
  ])('$reason: $fault', async ({ reason, fault, asked = 8 }) => {
    const world = await aReadyCluster();
    world.sandbox.aws.faults.add(fault);
    await deploy(world);
    await world.advance(2 * minute);
    expect(await launchedOf(world)).toMatchObject({ status: 'Unknown', reason });
    const tried = world.sandbox.aws.calls().filter(isLaunch);
    expect(tried.length).toBeGreaterThan(1);
    expect(tried.length).toBeLessThanOrEqual(asked);
    world.sandbox.aws.faults.clear();
    await comesUp(world);
    expect(world.launches()).toHaveLength(1);
    await world.stop();
  });
});

test('a claim that cannot be launched within five minutes makes room for another', async () => {
  const world = await aReadyCluster();
  world.sandbox.aws.faults.add({ kind: 'refusal', operation: 'CreateFleet', code: 'UnauthorizedOperation' });
  await deploy(world);
  await world.advance(2 * minute);
  const [first] = await claimsOf(world);
  await world.advance(4 * minute);
  const [second] = await claimsOf(world);
  expect(first?.metadata.name).toBeDefined();
  expect(second?.metadata.name).not.toBe(first?.metadata.name);
  await world.stop();
});

test('a launch that is refused after one whose answer was lost brings the same instance in the end', async () => {
  let isFirst = false;
  const world: ForceWorld = await aReadyCluster(({ name }) => {
    if (name !== 'CreateFleet' || !isFirst) return 'arrives';
    isFirst = false;
    world.sandbox.aws.faults.add({ kind: 'refusal', operation: 'CreateFleet', code: 'UnauthorizedOperation' });
    return 'lost';
  });
  isFirst = true; // after the dry run
  await deploy(world);
  await world.advance(minute);
  world.sandbox.aws.faults.clear();
  await comesUp(world);
  await world.stop();
});

describe('what was deleted by hand is made again for the next launch', () => {
  test.each([
    {
      what: 'the launch templates',
      lose: ({ sandbox }: ForceWorld) => {
        const { templates } = sandbox.aws.ec2;
        for (const { id } of templates.all()) templates.remove({ LaunchTemplateId: id });
      },
    },
    {
      what: 'the instance profile',
      lose: ({ sandbox }: ForceWorld) => {
        const { iam } = sandbox.aws;
        for (const { name, roleName = '' } of iam.profiles()) {
          iam.removeRole(name, roleName);
          iam.deleteProfile(name);
        }
      },
    },
  ])('$what', async ({ lose }) => {
    const world = await aReadyCluster();
    await deploy(world);
    await comesUp(world);
    lose(world);
    const [claim] = await claimsOf(world);
    await world.apply(world.client.delete(nodeClaims, { name: claim?.metadata.name ?? '' }));
    await world.advance(30 * second);
    await comesUp(world, 4 * minute);
    await world.stop();
  });
});

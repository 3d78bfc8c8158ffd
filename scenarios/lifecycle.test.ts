import {
  type Condition,
  conditionOf,
  deployments,
  ec2NodeClasses,
  fromTimestamp,
  instant,
  nodeClaims,
  nodePools,
  nodes,
  type NodeClaim,
  podDisruptionBudgets,
  pods,
  type ResourceType,
} from '@nodewright/apis';
import { RunInstancesCommand } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { deployment, nodeClass, nodePool } from './support/fleet-story.ts';
import { forceWorld, type ForceOptions, type ForceWorld } from './support/force-world.ts';
import { expectNothingLost } from './support/troubles.ts';

const second = 1_000;
const minute = 60 * second;
const pool = { name: 'plain', nodes: 2, budget: '1' };

/** Two nodes, with one pod each. */
async function aRunningPool(fate: ForceOptions['fate'] = () => 'arrives'): Promise<ForceWorld> {
  const world = await forceWorld({ seed: 1, fate });
  await world.apply(world.client.create(ec2NodeClasses, nodeClass));
  await world.apply(world.client.create(nodePools, nodePool(pool)));
  await world.apply(world.client.create(deployments as ResourceType, deployment(pool)));
  await settles(world);
  return world;
}

const claimsOf = async ({ apply, client }: ForceWorld): Promise<readonly NodeClaim[]> =>
  (await apply(client.list(nodeClaims))).items;
const namesOf = async (world: ForceWorld): Promise<readonly string[]> =>
  (await claimsOf(world)).map(({ metadata }) => metadata.name);

/** As many claims, instances and nodes as pods, which all run. */
async function settles(world: ForceWorld, withinMs = 10 * minute): Promise<void> {
  const { apply, client, time } = world;
  const isSettled = async (): Promise<boolean> => {
    const [claims, present] = [await claimsOf(world), (await apply(client.list(nodes))).items];
    const running = (await apply(client.list(pods, { namespace: 'default' }))).items.filter(
      ({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase === 'Running',
    );
    const isQuiet = [...claims, ...present].every(({ metadata }) => metadata.deletionTimestamp === undefined);
    return isQuiet && [claims, present, running].every(({ length }) => length === pool.nodes);
  };
  await world.until('two nodes with their pods', isSettled, instant(time.clock.now() + withinMs));
  await expectNothingLost(world);
}

const instanceOf = ({ status }: NodeClaim): string => status?.providerID?.split('/').at(-1) ?? '';

const stateOf = ({ sandbox }: ForceWorld, id: string): string | undefined =>
  sandbox.aws.ec2.instances.all().find((instance) => instance.id === id)?.state;

describe('what is deleted by hand is taken apart to the end, and replaced', () => {
  test.each<{ what: string; remove: (world: ForceWorld, claim: NodeClaim) => Promise<void>; withinMs?: number }>([
    {
      what: 'a NodeClaim',
      remove: ({ apply, client }, { metadata }) => apply(client.delete(nodeClaims, { name: metadata.name })),
    },
    {
      what: 'a Node',
      remove: ({ apply, client }, { status }) => apply(client.delete(nodes, { name: status?.nodeName ?? '' })),
    },
    {
      what: 'an instance',
      remove: async ({ sandbox }, claim) => {
        sandbox.aws.ec2.instances.terminate(instanceOf(claim));
      },
    },
    {
      what: 'a Node whose instance has gone',
      remove: async ({ apply, client, sandbox, advance }, claim) => {
        sandbox.aws.ec2.instances.terminate(instanceOf(claim));
        await advance(50 * second);
        await apply(client.delete(nodes, { name: claim.status?.nodeName ?? '' })).catch(() => undefined);
      },
    },
  ])('$what', async ({ remove }) => {
    const world = await aRunningPool();
    const [taken, kept] = await claimsOf(world);
    if (taken === undefined || kept === undefined) throw new Error('two claims were expected');
    await remove(world, taken);
    const isGone = async (): Promise<boolean> => !(await namesOf(world)).includes(taken.metadata.name);
    await world.until('the claim is gone', isGone, instant(world.time.clock.now() + 6 * minute));
    await settles(world);
    expect(await namesOf(world)).toContain(kept.metadata.name);
    expect(world.launches()).toHaveLength(3);
    expect(['shutting-down', 'terminated', undefined]).toContain(stateOf(world, instanceOf(taken)));
    await world.stop();
  });
});

test('an instance with the tags of the cluster that no claim knows is ended, others are left alone', async () => {
  const world = await aRunningPool();
  const [settings] = world.sandbox.aws.ec2.instances.all().map((instance) => instance.settings);
  const run = async (tags: Readonly<Record<string, string>>): Promise<string> => {
    const answer = await world.ec2((ec2, ticket) =>
      ec2.send(
        new RunInstancesCommand({
          MinCount: 1,
          MaxCount: 1,
          ImageId: settings?.imageId,
          InstanceType: 'm5.large',
          SubnetId: settings?.subnetId,
          TagSpecifications: [
            { ResourceType: 'instance', Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) },
          ],
        }),
        { ticket } as object,
      ),
    );
    return answer.Instances?.[0]?.InstanceId ?? '';
  };
  const ours = {
    'eks:eks-cluster-name': 'sandbox',
    'kubernetes.io/cluster/sandbox': 'owned',
    'karpenter.sh/nodepool': 'plain',
    'karpenter.k8s.aws/ec2nodeclass': 'default',
    'karpenter.sh/nodeclaim': 'plain-lost',
  };
  const orphan = await run(ours);
  const foreign = await run({ ...ours, 'eks:eks-cluster-name': 'other', 'kubernetes.io/cluster/sandbox': 'shared' });
  await world.advance(25 * second);
  expect(stateOf(world, orphan)).toBe('running');
  await world.advance(3 * minute);
  expect(stateOf(world, orphan)).not.toBe('running');
  expect(stateOf(world, foreign)).toBe('running');
  expect(await claimsOf(world)).toHaveLength(2);
  await world.stop();
});

test('no claim is lost while EC2 describes instances a minute late', async () => {
  const world = await aRunningPool();
  world.sandbox.aws.faults.add({ kind: 'stale-describes', lagMs: minute });
  const known = new Set(await namesOf(world));
  const app = { name: pool.name, namespace: 'default' };
  for (let replicas = 3; replicas <= 20; replicas += 1) {
    const patch = { type: 'merge', patch: { spec: { replicas } } } as const;
    await world.apply(world.client.patch(deployments as ResourceType, app, patch));
    await world.advance(7 * second);
    const names = new Set(await namesOf(world));
    expect([...known].filter((name) => !names.has(name))).toEqual([]);
    for (const name of names) known.add(name);
  }
  await world.advance(5 * minute);
  expect(new Set(await namesOf(world))).toEqual(known);
  expect(world.launches()).toHaveLength(known.size);
  await world.stop();
});

describe('a node that does not come', () => {
  const conditionAt = async (world: ForceWorld, name: string, type: string): Promise<Condition | undefined> => {
    const claim = (await claimsOf(world)).find(({ metadata }) => metadata.name === name);
    return claim && conditionOf(claim, type);
  };

  test('has fifteen minutes to register, and then makes room for another', async () => {
    const world = await aRunningPool();
    const [first] = await claimsOf(world);
    const { id } = world.sandbox.aws.faults.add({ kind: 'node-behavior', behavior: 'neverJoins' });
    await world.apply(world.client.delete(nodeClaims, { name: first?.metadata.name ?? '' }));
    await world.advance(2 * minute);
    const late = (await claimsOf(world)).find((claim) => conditionOf(claim, 'Registered')?.status !== 'True');
    const name = late?.metadata.name ?? '';
    world.sandbox.aws.faults.clear(id);
    const waitsSince = fromTimestamp((await conditionAt(world, name, 'Registered'))?.lastTransitionTime ?? '');
    await world.advance(waitsSince + 15 * minute - 5 * second - world.time.clock.now());
    expect(await namesOf(world)).toContain(name);
    await world.advance(minute);
    expect(await namesOf(world)).not.toContain(name);
    await settles(world);
    await world.stop();
  });

  test('is no reason to lose the one it was to replace: that one stays, and is replaced later', async () => {
    const world = await aRunningPool();
    const before = await namesOf(world);
    const { id } = world.sandbox.aws.faults.add({ kind: 'node-behavior', behavior: 'neverJoins' });
    await world.upgrade('1.29');
    // Up to ten minutes of the control plane, and some of the ten that a command has.
    await world.advance(15 * minute);
    const tainted = async (): Promise<readonly string[]> =>
      (await world.apply(world.client.list(nodes))).items.flatMap(({ metadata, spec }) =>
        (spec?.taints ?? []).some(({ key }) => key === 'karpenter.sh/disrupted') ? [metadata.name] : [],
      );
    expect(await tainted()).toHaveLength(1);
    let rolledBackAt: number | undefined;
    await world.until(
      'the taint is taken back',
      async () => {
        if ((await tainted()).length === 0) rolledBackAt = world.time.clock.now();
        return rolledBackAt !== undefined;
      },
      instant(world.time.clock.now() + 6 * minute),
    );
    expect(await namesOf(world)).toEqual(expect.arrayContaining([...before]));
    world.sandbox.aws.faults.clear(id);
    const isRolled = async (): Promise<boolean> => {
      const versions = (await world.apply(world.client.list(nodes))).items.map(
        ({ status }) => status?.nodeInfo?.['kubeletVersion'] ?? '',
      );
      return versions.length === 2 && versions.every((version) => version.startsWith('v1.29'));
    };
    await world.until('both nodes are of 1.29', isRolled, instant(world.time.clock.now() + 60 * minute));
    await settles(world, 20 * minute);
    expect(world.mostLeaving('plain')).toBe(1);
    await world.stop();
  });
});

test('an eviction that a budget refuses is asked for ever more rarely, every ten seconds at last', async () => {
  const asked: number[] = [];
  const world: ForceWorld = await aRunningPool(({ name }) => {
    if (name.endsWith('/eviction')) asked.push(world.time.clock.now());
    return 'arrives';
  });
  const [claim] = await claimsOf(world);
  await world.apply(
    world.client.create(podDisruptionBudgets, {
      metadata: { name: 'closed', namespace: 'default' },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: pool.name } } },
    }),
  );
  await world.apply(world.client.delete(nodeClaims, { name: claim?.metadata.name ?? '' }));
  await world.advance(2 * minute);
  const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  expect(gaps.slice(0, 7)).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400]);
  expect(new Set(gaps.slice(7))).toEqual(new Set([10_000]));
  await world.apply(world.client.delete(podDisruptionBudgets, { name: 'closed', namespace: 'default' }));
  await settles(world);
  await world.stop();
});

import {
  ec2NodeClasses,
  instant,
  isConditionTrue,
  nodeClaims,
  nodePools,
  type NodePool,
  type Pod,
} from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { aNodeClass, aPool, aWorld, worldStart } from '@nodewright/testkit/worlds';
import { planStaticPool, type StaticClaim } from './plan.ts';
import { StaticCreations } from './static-creations.ts';

const pool = (replicas: number, more: Partial<NodePool['spec']> = {}): NodePool => ({
  ...aPool(),
  spec: { ...aPool().spec, limits: {}, ...more, replicas },
  status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2024-01-28T16:00:00Z' }] },
});

type Traits = {
  readonly launched?: boolean;
  readonly leaving?: boolean;
  readonly replaced?: boolean;
  readonly pods?: readonly Pod[];
};

const claim = (
  name: string,
  { launched = true, leaving = false, replaced = false, pods = [] }: Traits = {},
): StaticClaim => ({
  claim: {
    metadata: { name, ...(leaving && { deletionTimestamp: '2024-01-28T16:00:00Z' }) },
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
    ...(launched && { status: { providerID: `aws:///us-east-1a/${name}` } }),
  },
  pods,
  isReplaced: replaced,
});

const pod = (annotations: Record<string, string> = {}): Pod => ({
  metadata: { name: 'p', namespace: 'default', annotations },
  spec: { containers: [] },
  status: { phase: 'Running' },
});
const planOf = (nodePool: NodePool, claims: readonly StaticClaim[]) =>
  planStaticPool(nodePool, claims, instant(worldStart));

describe('a pool with replicas', () => {
  test.each<readonly [string, NodePool, readonly StaticClaim[], object]>([
    ['gets what is missing', pool(3), [claim('a')], { kind: 'create', count: 2, held: 0 }],
    ['does not count what is leaving', pool(1), [claim('a', { leaving: true })], { kind: 'create', count: 1, held: 0 }],
    [
      'keeps what is replaced until it goes',
      pool(1),
      [claim('old', { replaced: true }), claim('new')],
      { kind: 'none' },
    ],
    ['is content', pool(1), [claim('a')], { kind: 'none' }],
    [
      'may have a limit',
      pool(5, { limits: { nodes: '3' } }),
      [claim('a'), claim('b', { leaving: true })],
      { kind: 'create', count: 1, held: 3 },
    ],
    [
      'may have its limit as any quantity',
      pool(1500, { limits: { nodes: '1k' } }),
      [],
      { kind: 'create', count: 1000, held: 500 },
    ],
    ['waits until it is ready', { ...pool(3), status: {} }, [], { kind: 'none' }],
  ])('%s', (_, nodePool, claims, expected) => {
    expect(planOf(nodePool, claims)).toEqual(expected);
  });

  test('loses unlaunched nodes first, then empty ones, then cheap ones, protected ones last', () => {
    const claims = [
      claim('protected', { pods: [pod({ 'karpenter.sh/do-not-disrupt': 'true' })] }),
      claim('dear', { pods: [pod(), pod()] }),
      claim('cheap', { pods: [pod()] }),
      claim('empty'),
      claim('unlaunched', { launched: false }),
    ];
    const order = (replicas: number) => {
      const plan = planOf(pool(replicas), claims);
      return plan.kind === 'delete' ? plan.claims.map(({ metadata }) => metadata.name) : [];
    };
    expect(order(0)).toEqual(['unlaunched', 'empty', 'cheap', 'dear', 'protected']);
    expect(order(3)).toEqual(['unlaunched', 'empty']);
  });
});

const scaled = async (staticCapacity: boolean) => {
  const world = aWorld({ settings: { staticCapacity } });
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, { ...aPool(), spec: { ...aPool().spec, limits: {}, replicas: 3 } }));
  await world.advance(180_000);
  return world;
};

test('nodes come without pods, go on a smaller number, and are replaced when somebody deletes them', async () => {
  const world = await scaled(true);
  const ready = async () => (await world.claims()).filter((each) => isConditionTrue(each, 'Initialized'));
  expect(await ready()).toHaveLength(3);
  const scale = { type: 'merge', patch: { spec: { replicas: 1 } } } as const;
  await world.apply(world.client.patch(nodePools, { name: 'default' }, scale));
  await world.advance(120_000);
  expect(await ready()).toHaveLength(1);
  const [last] = await ready();
  await world.apply(world.client.delete(nodeClaims, { name: last?.metadata.name ?? '' }));
  await world.advance(180_000);
  const names = (await ready()).map(({ metadata }) => metadata.name);
  expect(names).toHaveLength(1);
  expect(names).not.toContain(last?.metadata.name);
  await world.stop();
});

test('without the gate StaticCapacity no node comes', async () => {
  const world = await scaled(false);
  expect(await world.claims()).toEqual([]);
  await world.stop();
});

test('drifted nodes are replaced one for one, and the number never falls', async () => {
  const world = await scaled(true);
  const before = (await world.claims()).map(({ metadata }) => metadata.name);
  const disruption = { budgets: [{ nodes: '2' }], consolidateAfter: '0s' };
  const template = { metadata: { labels: { team: 'my-team', version: 'next' } } };
  const patch = { spec: { limits: { nodes: '4' }, disruption, template } };
  await world.apply(world.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch }));
  const counts: number[] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    await world.advance(10_000);
    const claims = await world.claims();
    counts.push(claims.length);
    const standing = claims.filter(
      (each) => isConditionTrue(each, 'Initialized') && each.metadata.deletionTimestamp === undefined,
    );
    expect(standing.length).toBeGreaterThanOrEqual(3);
  }
  expect(Math.max(...counts)).toBe(4);
  const after = (await world.claims()).map(({ metadata }) => metadata.name);
  expect(after).toHaveLength(3);
  expect(after.filter((name) => before.includes(name))).toEqual([]);
  await world.stop();
});

test('claims that cannot be launched are made ever more rarely, and at once for another spec', async () => {
  const world = aWorld({ settings: { staticCapacity: true } });
  const unknown = { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['x99.large'] } as const;
  const { template } = aPool().spec;
  const spec = {
    ...aPool().spec,
    limits: {},
    replicas: 2,
    template: { ...template, spec: { ...template.spec, requirements: [unknown] } },
  };
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, { ...aPool(), spec }));
  const created = () => world.messages().filter((message) => message === 'created nodeclaim').length;
  await world.advance(60_000);
  expect(created()).toBeGreaterThanOrEqual(10);
  expect(created()).toBeLessThanOrEqual(16);
  const before = created();
  await world.advance(600_000);
  expect(created() - before).toBeLessThanOrEqual(24);
  const patch = { spec: { template: { spec: { requirements: template.spec.requirements } } } };
  await world.apply(world.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch }));
  await world.advance(90_000);
  expect((await world.claims()).filter((each) => isConditionTrue(each, 'Initialized'))).toHaveLength(2);
  await world.stop();
});

describe('claims that were created for a pool', () => {
  const at = (second: number) => instant(worldStart + second * 1000);
  const waiting = (name: string) => claim(name, { launched: false }).claim;

  test('rest for as long as they have failed, a minute at the most, and not at all before', () => {
    const creations = new StaticCreations();
    const rests = [0, 1, 2, 4, 8, 16, 32, 64, 124].map((second) => {
      creations.noteCreated('a', 's', [waiting(`of-${second}`)], at(second));
      expect(creations.restsUntil('a', 's', at(second))).toBeUndefined();
      creations.follow('a', []);
      return ((creations.restsUntil('a', 's', at(second)) ?? 0) - at(second)) / 1000;
    });
    expect(rests).toEqual([1, 1, 2, 4, 8, 16, 32, 60, 60]);
    expect(creations.restsUntil('a', 's', at(184))).toBeUndefined();
  });

  test('rest when one of several goes, also one of an earlier creation', () => {
    const creations = new StaticCreations();
    creations.noteCreated('a', 's', [waiting('one'), waiting('two')], at(0));
    creations.follow('a', [waiting('one'), claim('two', { launched: false, leaving: true }).claim]);
    expect(creations.restsUntil('a', 's', at(0))).toBe(at(1));
    creations.noteCreated('a', 's', [waiting('three')], at(1));
    creations.follow('a', [waiting('three')]);
    expect(creations.restsUntil('a', 's', at(1))).toBe(at(2));
  });

  test('do not rest once they are launched, whatever becomes of them', () => {
    const creations = new StaticCreations();
    creations.noteCreated('a', 's', [waiting('one')], at(0));
    creations.follow('a', [claim('one').claim]);
    creations.follow('a', []);
    expect(creations.restsUntil('a', 's', at(0))).toBeUndefined();
  });

  test('do not rest for other specs, another pool, or when they are forgotten', () => {
    const creations = new StaticCreations();
    creations.follow('a', []);
    creations.noteCreated('a', 's', [waiting('one')], at(0));
    creations.follow('a', []);
    expect(creations.restsUntil('a', 'others', at(0))).toBeUndefined();
    expect(creations.restsUntil('b', 's', at(0))).toBeUndefined();
    creations.forget('a');
    expect(creations.restsUntil('a', 's', at(0))).toBeUndefined();
  });
});

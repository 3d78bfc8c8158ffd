import {
  ec2NodeClasses,
  kubernetesLabels,
  nodePools,
  podDisruptionBudgets,
  pods,
  type NodeClaim,
  type Pod,
} from '@nodewright/apis';
import { anInstanceType } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { aNodeClass, aPool, aWorld, type World } from '@nodewright/testkit/worlds';

const second = 1_000;
const minute = 60_000;

const aGuest = (name: string, cpu = '2', more: Partial<Pod['spec']> = {}): Pod => ({
  metadata: { name, namespace: 'default', labels: { app: name } },
  spec: {
    nodeSelector: { team: 'my-team' },
    containers: [{ name: 'guest', image: 'pause', resources: { requests: { cpu } } }],
    ...more,
  },
});

type Disruption = NonNullable<ReturnType<typeof aPool>['spec']['disruption']>;

/** A node that was the right one while a guest was there: two pods are left, for which half of it would do. */
async function anOversizedNode(world: World, disruption: Partial<Disruption> = {}): Promise<void> {
  const pool = aPool({}, { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }], ...disruption } });
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, pool));
  await world.apply(world.client.create(pods, aGuest('guest')));
  world.keepPods(2, { nodeSelector: { team: 'my-team' } });
  await world.advance(3 * minute);
  expect((await world.claims()).map(typeOf)).toEqual(['m5.xlarge']);
  await endGuest(world);
}

const endGuest = (world: World) => world.apply(world.client.delete(pods, { name: 'guest', namespace: 'default' }));

const typeOf = ({ metadata }: NodeClaim): string => metadata.labels?.[kubernetesLabels.instanceType] ?? '';

const isLeaving = ({ metadata }: NodeClaim): boolean => metadata.deletionTimestamp !== undefined;

const messages = async (world: World, reason: string): Promise<readonly (string | undefined)[]> =>
  (await world.events(reason)).map(({ message }) => message);

describe('a node that is larger than its pods need', () => {
  test('is replaced by a cheaper one, which is ready before anything leaves', async () => {
    const world = aWorld();
    await anOversizedNode(world);
    await world.advance(20 * second);
    const [old, fresh] = await world.claims();
    expect([old, fresh].map((claim) => claim && isLeaving(claim))).toEqual([false, false]);
    await world.advance(5 * minute);
    expect((await world.claims()).map(typeOf)).toEqual(['m5.large']);
    expect((await world.pods()).map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
    expect(world.cloud.fleet.running).toHaveLength(1);
    await world.stop();
  });

  test('is told of, in events, in the log and in numbers', async () => {
    const world = aWorld();
    await anOversizedNode(world);
    await world.advance(5 * minute);
    expect(new Set(await messages(world, 'ConsolidationCandidate'))).toEqual(
      new Set([
        expect.stringMatching(
          /^Consolidation candidate: replace node .*\/m5.xlarge\/on-demand with one of m5.large.* \(savings: \$0.10\)$/,
        ),
      ]),
    );
    expect(new Set(await messages(world, 'DisruptionTerminating'))).toEqual(
      new Set(['Disrupting Node: Underutilized', 'Disrupting NodeClaim: Underutilized']),
    );
    const line = world.log.find(({ message }) => message === 'disrupting node(s)');
    expect(line).toMatchObject({
      decision: 'replace',
      'disrupted-node-count': 1,
      'replacement-node-count': 1,
      'pod-count': 2,
    });
    expect(line?.['command']).toMatch(/^underutilized\/[0-9a-f-]+: replace: .* -> m5.large$/);
    expect(await world.metric('karpenter_voluntary_disruption_decisions_total')).toEqual([
      'karpenter_voluntary_disruption_decisions_total{decision="replace",reason="underutilized",consolidation_type="single"} 1',
    ]);
    expect(await world.metric('karpenter_consolidation_moves_total')).toEqual([
      'karpenter_consolidation_moves_total{decision="approved",nodepool="default",policy="WhenEmptyOrUnderutilized"} 1',
    ]);
    expect(await world.metric('karpenter_consolidation_score')).toEqual([]);
    await world.stop();
  });

  test('stays when a pod comes to it within fifteen seconds, and an event tells of it', async () => {
    const world = aWorld();
    await anOversizedNode(world);
    await world.advance(12 * second);
    await world.apply(world.client.create(pods, aGuest('late')));
    await world.advance(2 * minute);
    expect((await world.claims()).map(typeOf)).toEqual(['m5.xlarge']);
    expect(world.messages()).not.toContain('disrupting node(s)');
    expect(new Set(await messages(world, 'ConsolidationRejected'))).toEqual(
      new Set([
        expect.stringMatching(
          /^Consolidation rejected: replace node .*, reason: (churn|scheduling|budget) \(savings: \$0.10\): /,
        ),
      ]),
    );
    await world.stop();
  });

  test('stays while a PodDisruptionBudget lets none of its pods go', async () => {
    const world = aWorld();
    await anOversizedNode(world);
    const budget = {
      metadata: { name: 'guard', namespace: 'default' },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'inflate' } } },
    };
    await world.apply(world.client.create(podDisruptionBudgets, budget));
    await world.advance(10 * minute);
    expect((await world.claims()).map(typeOf)).toEqual(['m5.xlarge']);
    expect((await messages(world, 'DisruptionBlocked')).join()).toContain('PodDisruptionBudget default/guard');
    await world.stop();
  });

  for (const { fact, disruption, told } of [
    {
      fact: 'only empty nodes go',
      disruption: { consolidationPolicy: 'WhenEmpty' },
      told: 'non-empty consolidation disabled',
    },
    {
      fact: 'no node goes',
      disruption: { consolidateAfter: 'Never' },
      told: 'has consolidation disabled: its consolidateAfter is Never',
    },
  ] as const) {
    test(`stays where ${fact}, and an event says so`, async () => {
      const world = aWorld();
      await anOversizedNode(world, disruption);
      await world.advance(10 * minute);
      expect((await world.claims()).map(typeOf)).toEqual(['m5.xlarge']);
      const said = await messages(world, 'Unconsolidatable');
      expect([said.length, said.every((message) => message?.includes(told))]).toEqual([2, true]);
      await world.stop();
    });
  }

  test('goes with the Balanced policy where it pays, and the policy says how much', async () => {
    const world = aWorld();
    await anOversizedNode(world, { consolidationPolicy: 'Balanced' });
    await world.advance(5 * minute);
    expect((await world.claims()).map(typeOf)).toEqual(['m5.large']);
    expect(new Set(await messages(world, 'ConsolidationApproved'))).toEqual(
      new Set([
        "Consolidation approved: score 0.50 >= threshold 0.50 (k: 2): it saves 50% of the pool's cost for 100% of its disruption, score 0.50 of at least 0.50",
      ]),
    );
    const scores = await world.metric('karpenter_consolidation_score_count');
    expect(scores).toEqual([
      'karpenter_consolidation_score_count{decision="approved",nodepool="default",policy="Balanced"} 1',
    ]);
    await world.stop();
  });
});

test('a node that is the cheapest for its pods stays, and an event says at what price', async () => {
  const world = aWorld();
  await anOversizedNode(world);
  await world.advance(40 * minute);
  expect((await world.claims()).map(typeOf)).toEqual(['m5.large']);
  expect(await messages(world, 'Unconsolidatable')).toContain(
    "Can't replace with a cheaper node: a replacement would not be cheaper: the node costs $0.0960 per hour, the cheapest that its pods fit, m5.large, up to $0.0960 per hour",
  );
  await world.stop();
});

test('several nodes give way to one that costs less than they do', async () => {
  const offered = (price: number) => [['us-east-1a', 'on-demand', price]] as const;
  const world = aWorld({
    instanceTypes: [
      anInstanceType('m5.large', { cpu: 2, offerings: offered(96_000) }),
      anInstanceType('m5.xlarge', { cpu: 4, offerings: offered(150_000) }),
    ],
  });
  const typeIn = (values: readonly string[]) => ({
    key: kubernetesLabels.instanceType,
    operator: 'In' as const,
    values,
  });
  const disruption = { consolidateAfter: '0s', budgets: [{ nodes: '100%' }] };
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, aPool({ requirements: [typeIn(['m5.large'])] }, { disruption })));
  world.keepPods(4, { nodeSelector: { team: 'my-team' } });
  await world.advance(3 * minute);
  expect((await world.claims()).map(typeOf)).toEqual(['m5.large', 'm5.large']);
  const patch = { spec: { template: { spec: { requirements: [typeIn(['m5.large', 'm5.xlarge'])] } } } };
  await world.apply(world.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch }));
  await world.advance(8 * minute);
  expect((await world.claims()).map(typeOf)).toEqual(['m5.xlarge']);
  expect(await world.metric('karpenter_voluntary_disruption_decisions_total')).toEqual([
    'karpenter_voluntary_disruption_decisions_total{decision="replace",reason="underutilized",consolidation_type="multi"} 1',
  ]);
  await world.stop();
});

test('spot nodes are replaced by spot nodes once the gate is on', async () => {
  const spot = (name: string, cpu: number, price: number) =>
    anInstanceType(name, { cpu, offerings: [['us-east-1a', 'spot', price]] });
  const instanceTypes = [
    ...Array.from({ length: 15 }, (_, index) => spot(`c${index}.large`, 2, 30_000 + index)),
    spot('m5.xlarge', 4, 70_000),
  ];
  for (const isOn of [false, true]) {
    const world = aWorld({ instanceTypes, settings: { spotToSpotConsolidation: isOn } });
    await anOversizedNode(world);
    await world.advance(25 * minute); // a node is told so every fifteen minutes at most
    const [claim] = await world.claims();
    expect(claim && typeOf(claim)).toMatch(isOn ? /^c\d+\.large$/ : /^m5.xlarge$/);
    expect((await messages(world, 'Unconsolidatable')).some((told) => told?.includes('SpotToSpotConsolidation'))).toBe(
      !isOn,
    );
    await world.stop();
  }
});

describe('an operator that dies while it consolidates', () => {
  // A replacement is 34 writes; every one of them has been tried.
  for (const afterWrite of [1, 3, 5, 9, 13, 21]) {
    test(`right after write ${afterWrite} is followed by one that comes to the same end`, async () => {
      const world = aWorld();
      await anOversizedNode(world);
      expect(await world.crash({ afterWrite })).toBe(true);
      await world.advance(6 * minute);
      expect((await world.claims()).map(typeOf)).toEqual(['m5.large']);
      expect((await world.nodes()).map(({ spec }) => spec?.taints ?? [])).toEqual([[]]);
      expect((await world.pods()).map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
      expect(world.cloud.fleet.running).toHaveLength(1);
      const asked = world.cloud.fleet.requests.map(({ claim, attempt }) => `${claim.metadata.uid}/${attempt}`);
      expect(new Set(asked).size).toBe(2);
      await world.stop();
    });
  }
});

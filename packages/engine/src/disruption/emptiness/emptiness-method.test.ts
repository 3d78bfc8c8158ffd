import { fromTimestamp, type Budget, type Condition, type NodePool } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod, aSnapshot } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { nodeNameOf, type NodeState } from '../../cluster/node-state.ts';
import { printedBlocker } from '../candidates/disruption-blocker.ts';
import { emptinessMethod } from './emptiness-method.ts';
import type { MethodPlan } from '../method.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const later = fromTimestamp('2024-03-01T12:00:15Z');
const types = [2, 4, 8].map((cpu) =>
  anInstanceType(`c${cpu}`, { cpu, offerings: [['zone-a', 'on-demand', cpu * 50_000]] }),
);
const quiet: readonly Condition[] = [{ type: 'Consolidatable', status: 'True' }];

type Traits = NonNullable<Parameters<typeof aNode>[1]>;
const quietNode = (name: string, traits: Traits = {}) => aNode(name, { claimConditions: quiet, ...traits });

type Disruption = NonNullable<NodePool['spec']['disruption']>;
const aPoolWith = (disruption: Disruption, name = 'default') => ({
  nodePool: aNodePool(name, { disruption: { budgets: [{ nodes: '100%' }], ...disruption } }),
  instanceTypes: types,
});

const snapshot = (nodes: readonly NodeState[], more: Partial<DisruptionSnapshot> = {}): DisruptionSnapshot =>
  aSnapshot(nodes, { supplies: [aPoolWith({})], ...more });

const namesOf = ({ commands }: Pick<MethodPlan, 'commands'>) =>
  commands.flatMap(({ candidates }) => candidates.map(({ state }) => nodeNameOf(state)));
const deleted = (seen: DisruptionSnapshot) => namesOf(emptinessMethod.plan(seen, now));

const web = (traits: NonNullable<Parameters<typeof aPod>[1]> = {}) =>
  aPod('web', { nodeName: 'n', labels: { app: 'web' }, ownerKind: 'ReplicaSet', ...traits });
const held = { 'karpenter.sh/do-not-disrupt': 'true' };
const cheap = { 'controller.kubernetes.io/pod-deletion-cost': '-2147483647' };

describe('deleted as empty is a node', () => {
  for (const { fact, node } of [
    { fact: 'without pods', node: quietNode('n') },
    { fact: 'with daemons only', node: quietNode('n', { pods: [web({ ownerKind: 'DaemonSet' })] }) },
    { fact: 'whose last pods have ended', node: quietNode('n', { pods: [web({ phase: 'Succeeded' })] }) },
    { fact: 'whose last pods are ending', node: quietNode('n', { pods: [web({ deleting: true })] }) },
    { fact: 'whose pods cost nothing to evict', node: quietNode('n', { pods: [web({ annotations: cheap })] }) },
    {
      fact: 'that says "false" to do-not-disrupt',
      node: quietNode('n', { annotations: { 'karpenter.sh/do-not-disrupt': 'false' } }),
    },
    {
      fact: 'that has drifted, too',
      node: quietNode('n', { claimConditions: [...quiet, { type: 'Drifted', status: 'True' }] }),
    },
  ]) {
    test(fact, () => {
      const [command, ...others] = emptinessMethod.plan(snapshot([node]), now).commands;
      expect(others).toEqual([]);
      expect(command).toMatchObject({ reason: 'Empty', consolidationType: 'empty', replacements: [] });
      expect(deleted(snapshot([node]))).toEqual(['n']);
    });
  }

  for (const policy of ['WhenEmpty', 'WhenEmptyOrUnderutilized'] as const) {
    test(`of a pool with the policy ${policy}`, () => {
      expect(deleted(snapshot([quietNode('n')], { supplies: [aPoolWith({ consolidationPolicy: policy })] }))).toEqual([
        'n',
      ]);
    });
  }
});

describe('left alone is a node', () => {
  for (const { fact, node, more = {} } of [
    { fact: 'whose pods have come or gone just now', node: aNode('n') },
    {
      fact: 'that is no longer quiet',
      node: aNode('n', { claimConditions: [{ type: 'Consolidatable', status: 'False' }] }),
    },
    { fact: 'with a pod that runs', node: quietNode('n', { pods: [web()] }) },
    {
      fact: 'with a pod of a StatefulSet that is ending: its successor comes back',
      node: quietNode('n', { pods: [web({ ownerKind: 'StatefulSet', deleting: true })] }),
    },
    { fact: 'that must not be disrupted', node: quietNode('n', { annotations: held }) },
    {
      fact: 'with a daemon that must not be disrupted',
      node: quietNode('n', { pods: [web({ ownerKind: 'DaemonSet', annotations: held })] }),
    },
    {
      fact: 'with such a daemon, and a terminationGracePeriod',
      node: quietNode('n', {
        pods: [web({ ownerKind: 'DaemonSet', annotations: held })],
        terminationGracePeriod: '1h',
      }),
    },
    { fact: 'that pods are on their way to', node: { ...quietNode('n'), nominatedUntil: later } },
    { fact: 'that a command disrupts already', node: quietNode('n'), more: { queued: new Set(['n-claim']) } },
    { fact: 'that leaves already', node: quietNode('n', { markedForDeletion: true }) },
    { fact: 'that nobody manages', node: quietNode('n', { managed: false }) },
    {
      fact: 'of a static pool',
      node: quietNode('n'),
      more: {
        supplies: [],
        staticPools: new Set(['default']),
        staticSupplies: [{ nodePool: aNodePool('default', { replicas: 1 }), instanceTypes: types }],
      },
    },
  ] as readonly { fact: string; node: NodeState; more?: Partial<DisruptionSnapshot> }[]) {
    test(fact, () => {
      expect(deleted(snapshot([node], more))).toEqual([]);
    });
  }
});

describe('said of an empty node is', () => {
  const remarks = (seen: DisruptionSnapshot) =>
    emptinessMethod.plan(seen, now).unconsolidatable?.map(({ node, message }) => `${nodeNameOf(node)}: ${message}`);

  test('that its pool is never consolidated', () => {
    expect(remarks(snapshot([aNode('n')], { supplies: [aPoolWith({ consolidateAfter: 'Never' })] }))).toEqual([
      'n: NodePool "default" has consolidation disabled: its consolidateAfter is Never',
    ]);
  });
  test('that capacity buffers have room there, and only there', () => {
    const seen = snapshot([
      { ...quietNode('n'), bufferPods: 2 },
      { ...quietNode('other'), bufferPods: 0 },
    ]);
    expect(remarks(seen)).toEqual(['n: capacity buffers hold room on it: 2 units']);
    expect(deleted(seen)).toEqual(['other']);
  });
  test('what stands against it, once it is quiet', () => {
    const blockers = emptinessMethod.plan(
      snapshot([
        quietNode('n', { annotations: held }),
        aNode('new', { annotations: held }),
        quietNode('busy', { annotations: held, pods: [web()] }),
      ]),
      now,
    ).blocked;
    expect(blockers.map(({ node, blocker }) => `${nodeNameOf(node)}: ${printedBlocker(blocker)}`)).toEqual([
      'n: the node carries the annotation karpenter.sh/do-not-disrupt',
    ]);
  });
});

describe('budgets', () => {
  const within = (budgets: readonly Budget[], nodes: readonly NodeState[]) =>
    snapshot(nodes, { supplies: [aPoolWith({ budgets })] });
  const three = ['a', 'b', 'c'].map((name) => quietNode(name));

  test('let all empty nodes go at once, those that save most first', () => {
    const nodes = [quietNode('small', { instanceType: 'c2' }), quietNode('large', { instanceType: 'c8' }), ...three];
    expect(deleted(snapshot(nodes))).toEqual(['large', 'a', 'b', 'c', 'small']);
  });
  for (const { fact, budgets, nodes = three, names } of [
    { fact: 'hold back what is too much', budgets: [{ nodes: '2' }], names: ['a', 'b'] },
    { fact: 'round percentages up', budgets: [{ nodes: '34%' }], names: ['a', 'b'] },
    {
      fact: 'count nodes that are away',
      budgets: [{ nodes: '2' }],
      names: ['a'],
      nodes: [...three, aNode('away', { ready: false })],
    },
    { fact: 'of zero hold all', budgets: [{ nodes: '0' }], names: [] },
    {
      fact: 'for other reasons do not matter',
      budgets: [{ nodes: '0', reasons: ['Drifted'] }],
      names: ['a', 'b', 'c'],
    },
    { fact: 'for empty nodes do', budgets: [{ nodes: '1', reasons: ['Empty'] }], names: ['a'] },
  ] as readonly { fact: string; budgets: readonly Budget[]; nodes?: readonly NodeState[]; names: string[] }[]) {
    test(fact, () => {
      expect(deleted(within(budgets, nodes))).toEqual(names);
    });
  }
  test('are those of each pool', () => {
    const supplies = [aPoolWith({ budgets: [{ nodes: '1' }] }), aPoolWith({ budgets: [{ nodes: '0' }] }, 'other')];
    const nodes = [...three, quietNode('foreign', { nodePool: 'other' })];
    expect(deleted(snapshot(nodes, { supplies }))).toEqual(['a']);
  });
  test('that hold a node are told, and when they change', () => {
    const budgets = [{ nodes: '0', schedule: '0 12 * * *', duration: '1h' }];
    const plan = emptinessMethod.plan(within(budgets, [quietNode('n')]), now);
    expect(plan.blocked.map(({ blocker }) => blocker.kind)).toEqual(['budget']);
    expect(plan.recheckAt).toBe(fromTimestamp('2024-03-01T13:00:00Z'));
  });
});

describe('after fifteen seconds', () => {
  const proposal = (seen: DisruptionSnapshot) => emptinessMethod.plan(seen, now).commands[0];
  const left = (before: DisruptionSnapshot, after: DisruptionSnapshot) => {
    const command = proposal(before);
    if (command === undefined || emptinessMethod.validate === undefined) throw new Error('nothing was proposed');
    const { command: valid, dropped } = emptinessMethod.validate(command, after, later);
    return { deleted: valid === undefined ? [] : namesOf({ commands: [valid] }), dropped };
  };
  const before = snapshot([quietNode('a'), quietNode('b')]);

  for (const { fact, after, expected } of [
    { fact: 'nodes that stayed empty go', after: before, expected: { deleted: ['a', 'b'], dropped: [] } },
    {
      fact: 'a node that got a pod stays, and the other goes',
      after: snapshot([quietNode('a', { pods: [web()] }), quietNode('b')]),
      expected: { deleted: ['b'], dropped: [{ claim: 'a-claim', because: 'churn' }] },
    },
    {
      fact: 'a node that pods are on their way to stays',
      after: snapshot([{ ...quietNode('a'), nominatedUntil: fromTimestamp('2024-03-01T12:01:00Z') }]),
      expected: {
        deleted: [],
        dropped: [
          { claim: 'a-claim', because: 'churn' },
          { claim: 'b-claim', because: 'churn' },
        ],
      },
    },
    {
      fact: 'budgets hold what is too much by then',
      after: { ...before, supplies: [aPoolWith({ budgets: [{ nodes: '1' }] })] },
      expected: { deleted: ['a'], dropped: [{ claim: 'b-claim', because: 'budget' }] },
    },
    {
      fact: 'nodes that became empty meanwhile wait for their own turn',
      after: snapshot([quietNode('a'), quietNode('b'), quietNode('c')]),
      expected: { deleted: ['a', 'b'], dropped: [] },
    },
  ]) {
    test(fact, () => {
      expect(left(before, after)).toEqual(expected);
    });
  }
});

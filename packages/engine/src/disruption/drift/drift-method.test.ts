import { fromTimestamp, toTimestamp, type Condition, type Pod, type PodDisruptionBudget } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod, aSnapshot } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { virtualPods } from '../../buffers/virtual-pods.ts';
import { nodeNameOf, type NodeState } from '../../cluster/node-state.ts';
import type { DisruptionCommand } from '../command.ts';
import { printedBlocker } from '../candidates/disruption-blocker.ts';
import { planDriftDisruption } from './drift-method.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const types = [2, 4, 8].map((cpu) => anInstanceType(`c${cpu}`, { cpu }));
const drifted = (since = '2024-03-01T00:00:00Z'): Condition[] => [
  { type: 'Drifted', status: 'True', reason: 'AMIDrift', lastTransitionTime: since },
];

const driftedNode = (name: string, traits: Parameters<typeof aNode>[1] = {}) =>
  aNode(name, { claimConditions: drifted(), ...traits });

const aPdb = (name: string, spec: PodDisruptionBudget['spec'], disruptionsAllowed: number): PodDisruptionBudget => ({
  metadata: { name, namespace: 'default' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  status: { disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 2 },
});

const snapshot = (nodes: readonly NodeState[], more: Partial<DisruptionSnapshot> = {}): DisruptionSnapshot =>
  aSnapshot(nodes, {
    pool: aNodePool('default', { disruption: { budgets: [{ nodes: '1' }] } }),
    instanceTypes: types,
    ...more,
  });

const web = (node: string, traits: Parameters<typeof aPod>[1] = {}): Pod =>
  aPod('web', { nodeName: node, requests: { cpu: 3 }, labels: { app: 'web' }, ownerKind: 'ReplicaSet', ...traits });

const planned = (seen: DisruptionSnapshot) => {
  const plan = planDriftDisruption(seen, now);
  return { ...plan, command: plan.commands[0] };
};

const firstOf = (command: DisruptionCommand | undefined) =>
  command?.candidates.map(({ state }) => nodeNameOf(state)).join(' and ');

const replaced = (seen: DisruptionSnapshot) => {
  return firstOf(planned(seen).command);
};
const blocker = (seen: DisruptionSnapshot) => {
  const [blocked] = planDriftDisruption(seen, now).blocked;
  return blocked && printedBlocker(blocked.blocker);
};

describe('which node goes', () => {
  test('the room of a buffer is replaced as that of pods is, and nominates nobody', () => {
    const buffer = { metadata: { name: 'spare', namespace: 'default', uid: 'b' }, spec: {} };
    const spec = { containers: [{ name: 'web', resources: { requests: { cpu: '3' } } }] };
    const units = virtualPods(buffer, { spec }, 1);
    const alone = planned(snapshot([driftedNode('n')], { virtualPods: units })).command;
    expect(alone?.replacements.map(({ instanceTypes }) => instanceTypes[0]?.name)).toEqual(['c4']);
    const roomy = snapshot([driftedNode('n'), aNode('other')], { virtualPods: units });
    expect(planned(roomy).command).toMatchObject({ replacements: [], destinations: [] });
  });
  test('a drifted node with pods is replaced by what its pods need', () => {
    const { command } = planned(snapshot([driftedNode('n', { pods: [web('n')] })]));
    expect(command?.replacements.map(({ instanceTypes }) => instanceTypes[0]?.name)).toEqual(['c4']);
    expect(command?.replacements[0]?.pods.map(({ metadata }) => metadata.name)).toEqual(['web']);
  });
  test('a drifted node of a static pool is left to another method, and nothing is said to stand against it', () => {
    const nodes = [driftedNode('n', { pods: [web('n')] })];
    const seen = snapshot(nodes, { supplies: [], staticPools: new Set(['default']) });
    expect(planDriftDisruption(seen, now)).toEqual({ commands: [], eligible: [], blocked: [] });
  });
  test('an empty drifted node goes without a replacement', () => {
    const { command } = planned(snapshot([driftedNode('n')]));
    expect(command?.replacements).toEqual([]);
  });
  test('pods that fit elsewhere need no replacement', () => {
    const { command } = planned(snapshot([driftedNode('n', { pods: [web('n')] }), aNode('other')]));
    expect(command?.replacements).toEqual([]);
    expect(command?.destinations.map(({ node }) => nodeNameOf(node))).toEqual(['other']);
  });
  test('what is in flight for the pods of a leaving node is left to them', () => {
    const named = (name: string, pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, name, uid: name } });
    const leaving = aNode('leaving', { pods: [named('younger', web('leaving'))], markedForDeletion: true });
    const next = driftedNode('next', { pods: [named('older', web('next'))] });
    const inFlight = aNode('its-replacement', { stage: 'inFlight' });
    const { command, blocked } = planned(
      snapshot([leaving, next, inFlight], {
        supplies: [
          { nodePool: aNodePool('default', { disruption: { budgets: [{ nodes: '2' }] } }), instanceTypes: types },
        ],
      }),
    );
    expect(blocked).toEqual([]);
    expect(firstOf(command)).toBe('next');
    expect(command?.replacements).toHaveLength(1);
  });
  test('a node for pods that wait anyway is no replacement', () => {
    const pendingPods = [aPod('waits', { requests: { cpu: 6 } })];
    const { command } = planned(snapshot([driftedNode('n', { pods: [web('n')] })], { pendingPods }));
    expect(command?.replacements.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual(['web']);
  });
  test('a node may be replaced by several', () => {
    const pods = ['a', 'b', 'c'].map((name) => ({
      ...web('n', { requests: { cpu: 6 } }),
      metadata: { name, namespace: 'default', uid: name },
    }));
    const big = driftedNode('n', { allocatable: { cpu: '32', memory: '64Gi', pods: '110' }, pods });
    expect(planned(snapshot([big])).command?.replacements).toHaveLength(3);
  });
  test('empty nodes go first, then those that drifted longest ago', () => {
    const old = driftedNode('old', { pods: [web('old')], claimConditions: drifted('2024-02-01T00:00:00Z') });
    const young = driftedNode('young', { pods: [web('young')] });
    expect(replaced(snapshot([young, old, driftedNode('empty')]))).toBe('empty');
    expect(replaced(snapshot([young, old]))).toBe('old');
  });
  test('nodes that have not drifted stay', () => {
    const cleared = aNode('cleared', { claimConditions: [{ type: 'Drifted', status: 'False' }] });
    expect(planDriftDisruption(snapshot([aNode('n'), cleared]), now)).toEqual({
      commands: [],
      eligible: [],
      blocked: [],
    });
  });
  test('the others wait, and say for whom', () => {
    const { blocked } = planDriftDisruption(snapshot([driftedNode('a'), driftedNode('b')]), now);
    expect(blocked.map((each) => printedBlocker(each.blocker))).toEqual(['node a goes first']);
  });
  test('if the pods of the first have no other place, the next is tried', () => {
    const stuck = driftedNode('stuck', {
      pods: [web('stuck', { nodeSelector: { rack: '7' } })],
      claimConditions: drifted('2024-02-01T00:00:00Z'),
    });
    const seen = snapshot([stuck, driftedNode('next', { pods: [web('next')] })]);
    expect(replaced(seen)).toBe('next');
    expect(blocker(seen)).toContain('pod default/web would have no place');
  });
});

describe('what holds a drifted node back', () => {
  const annotated = (value: string) => ({ 'karpenter.sh/do-not-disrupt': value });
  for (const { fact, node, more = {}, because } of [
    {
      fact: 'a running command',
      node: driftedNode('n'),
      more: { queued: new Set(['n-claim']) },
      because: 'is being disrupted already',
    },
    { fact: 'initialization to come', node: driftedNode('n', { stage: 'registered' }), because: 'not initialized' },
    { fact: 'a claim without a node', node: driftedNode('n', { stage: 'inFlight' }), because: 'no Node yet' },
    { fact: 'its own end', node: driftedNode('n', { markedForDeletion: true }), because: 'leaving already' },
    {
      fact: 'a nomination',
      node: { ...driftedNode('n'), nominatedUntil: fromTimestamp('2024-03-01T12:00:10Z') },
      because: 'nominated',
    },
    {
      fact: 'do-not-disrupt on the node',
      node: driftedNode('n', { annotations: annotated('true') }),
      because: 'the annotation karpenter.sh/do-not-disrupt',
    },
    {
      fact: 'do-not-disrupt on a pod',
      node: driftedNode('n', { pods: [web('n', { annotations: annotated('true') })] }),
      because: 'pod default/web carries',
    },
    {
      fact: 'do-not-disrupt on a daemon pod',
      node: driftedNode('n', { pods: [web('n', { annotations: annotated('true'), ownerKind: 'DaemonSet' })] }),
      because: 'pod default/web carries',
    },
    {
      fact: 'a pool that cannot be launched from',
      node: driftedNode('n', { nodePool: 'gone' }),
      because: 'NodePool gone',
    },
    {
      fact: 'an exhausted PodDisruptionBudget',
      node: driftedNode('n', { pods: [web('n')] }),
      more: { podDisruptionBudgets: [aPdb('web', { maxUnavailable: 1 }, 0)] },
      because: 'PodDisruptionBudget default/web allows no eviction',
    },
    {
      fact: 'two PodDisruptionBudgets on one pod',
      node: driftedNode('n', { pods: [web('n')] }),
      more: { podDisruptionBudgets: [aPdb('a', {}, 1), aPdb('b', {}, 1)] },
      because: 'more than one PodDisruptionBudget: default/a, default/b',
    },
  ] as readonly { fact: string; node: NodeState; more?: Partial<DisruptionSnapshot>; because: string }[]) {
    test(fact, () => {
      expect(replaced(snapshot([node], more))).toBeUndefined();
      expect(blocker(snapshot([node], more))).toContain(because);
    });
  }
  for (const { fact, node, more = {} } of [
    { fact: 'do-not-disrupt "false" on the node', node: driftedNode('n', { annotations: annotated('false') }) },
    {
      fact: 'do-not-disrupt of an ended pod',
      node: driftedNode('n', { pods: [web('n', { annotations: annotated('true'), phase: 'Succeeded' })] }),
    },
    {
      fact: 'do-not-disrupt of an ending pod',
      node: driftedNode('n', { pods: [web('n', { annotations: annotated('true'), deleting: true })] }),
    },
    {
      fact: 'do-not-disrupt that is no duration',
      node: driftedNode('n', { pods: [web('n', { annotations: annotated('soon') })] }),
    },
    {
      fact: 'a PodDisruptionBudget with room',
      node: driftedNode('n', { pods: [web('n')] }),
      more: { podDisruptionBudgets: [aPdb('web', {}, 1)] },
    },
    {
      fact: 'a PodDisruptionBudget of other pods',
      node: driftedNode('n', { pods: [web('n', { labels: { app: 'db' } })] }),
      more: { podDisruptionBudgets: [aPdb('web', {}, 0)] },
    },
  ] as readonly { fact: string; node: NodeState; more?: Partial<DisruptionSnapshot> }[]) {
    test(`not ${fact}`, () => {
      expect(replaced(snapshot([node], more))).toBe('n');
    });
  }
  test('do-not-disrupt for a time, which is when to look again', () => {
    const pod = web('n', { annotations: annotated('1h') });
    const started = { ...pod, status: { ...pod.status, startTime: '2024-03-01T11:30:00Z' } };
    const plan = planDriftDisruption(snapshot([driftedNode('n', { pods: [started] })]), now);
    expect(plan.commands).toEqual([]);
    expect(plan.recheckAt && toTimestamp(plan.recheckAt)).toBe('2024-03-01T12:30:00Z');
  });
  test('with a terminationGracePeriod pods hold nothing back, and those that cannot move get no new place', () => {
    const pods = [web('n', { annotations: annotated('true') })];
    const { command } = planned(snapshot([driftedNode('n', { terminationGracePeriod: '1h', pods })]));
    expect(command?.replacements).toEqual([]);
  });
  test('pods are not moved to a node that may never get ready', () => {
    const seen = snapshot([driftedNode('n', { pods: [web('n')] }), aNode('starting', { stage: 'registered' })]);
    expect(blocker(seen)).toContain('would go to node starting, which is not initialized');
  });
});

describe('budgets', () => {
  const withBudget = (nodes: string, ...states: NodeState[]) =>
    snapshot(states, {
      supplies: [{ nodePool: aNodePool('default', { disruption: { budgets: [{ nodes }] } }), instanceTypes: types }],
    });
  test('of zero hold every node of the pool', () => {
    const plan = planDriftDisruption(withBudget('0', driftedNode('a'), driftedNode('b')), now);
    expect(plan.blocked.map((each) => printedBlocker(each.blocker))).toEqual([
      'the disruption budgets of NodePool default allow 0 nodes, 0 are away',
      'the disruption budgets of NodePool default allow 0 nodes, 0 are away',
    ]);
  });
  test('are spent by nodes that are away already', () => {
    expect(replaced(withBudget('1', driftedNode('a'), aNode('b', { ready: false })))).toBeUndefined();
    expect(replaced(withBudget('2', driftedNode('a'), aNode('b', { ready: false })))).toBe('a');
  });
  test('of one pool do not bind another', () => {
    const open = aNodePool('open', { disruption: { budgets: [{ nodes: '1' }] } });
    const shut = aNodePool('shut', { disruption: { budgets: [{ nodes: '0' }] } });
    const supplies = [shut, open].map((nodePool) => ({ nodePool, instanceTypes: types }));
    const nodes = [driftedNode('a', { nodePool: 'shut' }), driftedNode('b', { nodePool: 'open' })];
    expect(replaced(snapshot(nodes, { supplies }))).toBe('b');
  });
  test('with a window say when to look again', () => {
    const budgets = [{ nodes: '0', schedule: '0 9 * * *', duration: '8h' }];
    const supplies = [{ nodePool: aNodePool('default', { disruption: { budgets } }), instanceTypes: types }];
    const { recheckAt } = planDriftDisruption(snapshot([driftedNode('a')], { supplies }), now);
    expect(recheckAt && toTimestamp(recheckAt)).toBe('2024-03-01T17:00:00Z');
  });
});

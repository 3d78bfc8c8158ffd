import { fromTimestamp, type Condition, type Pod } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod, aSnapshot } from '@nodewright/testkit';
import { array, assert, boolean, constantFrom, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { nodeNameOf, type NodeState } from '../../cluster/node-state.ts';
import { planDriftDisruption } from '../drift/drift-method.ts';
import { splitEligibleNodes } from '../eligible-nodes.ts';
import { EvictionRules } from '../evictions/pod-disruption-budgets.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';
import { simulateWithout } from './simulation.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const claimConditions: Condition[] = [
  { type: 'Drifted', status: 'True', reason: 'AMIDrift', lastTransitionTime: '2024-03-01T00:00:00Z' },
];

const shapes = array(
  record({
    pods: array(record({ cpu: constantFrom(1, 2, 3), app: constantFrom('web', 'db') }), { minLength: 1, maxLength: 3 }),
    zone: constantFrom('us-west-2a', 'us-west-2b'),
    isLabelled: boolean(),
  }),
  { minLength: 2, maxLength: 6 },
);

type Shape = Parameters<Parameters<typeof shapes.map>[0]>[0][number];

function driftedNode({ pods, zone, isLabelled }: Shape, number: number): NodeState {
  const name = `node-${number}`;
  return aNode(name, {
    claimConditions,
    zone,
    allocatable: { cpu: '8', memory: '32Gi', pods: '110' },
    ...(isLabelled ? { labels: { team: 'a' } } : {}),
    pods: pods.map(({ cpu, app }, place): Pod => {
      const pod = aPod(app, { nodeName: name, requests: { cpu }, labels: { app }, ownerKind: 'ReplicaSet' });
      return { ...pod, metadata: { ...pod.metadata, name: `${name}-${place}`, uid: `${name}-${place}` } };
    }),
  });
}

const startingNode = (cpu: number, number: number): NodeState =>
  aNode(`starting-${number}`, { stage: 'registered', allocatable: { cpu: `${cpu}`, memory: '32Gi', pods: '110' } });

test('a refusal that is passed on is the one a simulation of the node itself gives', () => {
  let passedOn = 0;
  const starting = array(constantFrom(1, 2, 4), { minLength: 1, maxLength: 2 });
  assert(
    property(shapes, starting, (drifted, sizes) => {
      const seen = snapshotOf([...drifted.map(driftedNode), ...sizes.map(startingNode)]);
      const rules = new EvictionRules(seen.podDisruptionBudgets);
      const question = { disruptionClass: 'eventual', reason: 'Drifted', rules, now } as const;
      const { candidates } = splitEligibleNodes(seen.nodes.slice(0, drifted.length), seen, question);
      for (const { node, blocker } of planDriftDisruption(seen, now).blocked) {
        if (blocker.kind !== 'uninitializedDestination') continue;
        passedOn += 1;
        const own = candidates.filter(({ state }) => state === node);
        const simulation = simulateWithout(own, seen, { rules, now });
        expect(simulation).toMatchObject({ kind: 'fails', blocker: { kind: blocker.kind, node: blocker.node } });
        if (simulation.kind !== 'fails' || simulation.blocker.kind !== blocker.kind) continue;
        expect(describePods(blocker.pods, node)).toEqual(describePods(simulation.blocker.pods, node));
      }
    }),
  );
  expect(passedOn).toBeGreaterThan(0);
});

/** What the pods ask for, all of which have to be on the node. */
function describePods(pods: readonly Pod[], state: NodeState): readonly string[] {
  for (const { spec } of pods) expect(spec.nodeName).toBe(nodeNameOf(state));
  return pods.map(({ metadata, spec }) => JSON.stringify([metadata.labels, spec.containers])).toSorted();
}

const snapshotOf = (nodes: readonly NodeState[]): DisruptionSnapshot =>
  aSnapshot(nodes, {
    pool: aNodePool('default', { disruption: { budgets: [{ nodes: '100%' }] } }),
    instanceTypes: [2, 4, 8].map((cpu) => anInstanceType(`c${cpu}`, { cpu })),
  });

import { type DaemonSet, daemonSets, instant, type Node, type Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { planRevision } from '../revisions/revisions.ts';
import { type DaemonNodes, DaemonTally } from './daemon-tally.ts';
import { type DaemonSetSnapshot, plan } from './plan.ts';

const set: DaemonSet = {
  metadata: { name: 'agent', namespace: 'kube-system', generation: 1 },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent' }] } },
  },
};
const node: Node = { metadata: { name: 'a' } };

/** Node `a`, or what is left of it, with pods of the set. */
function onNode(known: Node | undefined, ...pods: readonly Pod[]): DaemonNodes {
  const tally = new DaemonTally(set);
  tally.judge('a', known, pods);
  return tally;
}

const { history } = planRevision(daemonSets, set, []);

const kindsOf = (changes: Partial<DaemonSetSnapshot>): readonly string[] => {
  const snapshot = { set, nodes: onNode(node), history, heldUntil: undefined, ...changes };
  return plan(snapshot).actions.map(({ kind }) => kind);
};

/** The pod that the plan creates, as the API server and a kubelet complete it. */
function createdPod(): Pod {
  const created = plan({ set, nodes: onNode(node), history, heldUntil: undefined }).actions[0];
  if (created?.kind !== 'createPod') throw new Error('the plan creates no pod');
  const { pod } = created;
  return {
    ...pod,
    metadata: { ...pod.metadata, name: 'agent-1' },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

/** As the API server stores them: some counts are left out while they are zero. */
const counts = {
  currentNumberScheduled: 1,
  desiredNumberScheduled: 1,
  numberMisscheduled: 0,
  numberReady: 1,
  numberAvailable: 1,
  updatedNumberScheduled: 1,
  observedGeneration: 1,
};

for (const { fact, changes, kinds } of [
  {
    fact: 'records its revision before it creates pods of it',
    changes: { history: [] },
    kinds: ['createRevision', 'createPod', 'writeStatus'],
  },
  { fact: 'creates the pod that a node lacks', changes: {}, kinds: ['createPod', 'writeStatus'] },
  {
    fact: 'only counts while the watch may not show its own writes',
    changes: { heldUntil: instant(5) },
    kinds: ['writeStatus'],
  },
  {
    fact: 'deletes a pod that waits for a node that is gone',
    changes: { nodes: onNode(undefined, createdPod()) },
    kinds: ['deletePod', 'writeStatus'],
  },
  {
    fact: 'has nothing to do when pods and counts are as they should be',
    changes: { nodes: onNode(node, createdPod()), set: { ...set, status: counts } },
    kinds: [],
  },
]) {
  test(`a DaemonSet ${fact}`, () => {
    expect(kindsOf(changes)).toEqual(kinds);
  });
}

test('the plan is due again when the held writes are given up', () => {
  const held = { set, nodes: onNode(undefined), history, heldUntil: instant(5) };
  expect(plan(held).recheckAt).toBe(5);
});

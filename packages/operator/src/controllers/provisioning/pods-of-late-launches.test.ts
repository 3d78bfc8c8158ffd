import { instant, type NodeClaim, type Pod } from '@nodewright/apis';
import type { NodeState } from '@nodewright/engine';
import { expect, test } from 'vitest';
import type { StoredCommand } from '../../state/disruption-command.ts';
import { withLaunchRecord } from '../../state/launch-record.ts';
import { podsOfLateLaunches } from './late-launches.ts';

const aPendingPod = (uid: string): Pod => ({
  metadata: { name: uid, namespace: 'default', uid },
  spec: {} as Pod['spec'],
});

/** The class of a pod is the first letter of its UID. */
const classOf = ({ metadata }: Pod): string => metadata.uid?.[0] ?? '';

function aLateClaim(...uids: readonly string[]): NodeClaim {
  const classes = new Map<string, string[]>();
  for (const uid of uids) classes.set(uid[0] ?? '', [...(classes.get(uid[0] ?? '') ?? []), uid]);
  return withLaunchRecord(
    { metadata: { name: uids.join('-') }, spec: {} as NodeClaim['spec'] },
    { pools: new Map(), classes },
  );
}

test.each([
  { fact: 'nothing is late', late: [], waiting: ['a1'], held: [] },
  { fact: 'the pods of the launch wait', late: [['a1', 'a2']], waiting: ['a1', 'a2', 'a3'], held: ['a1', 'a2'] },
  { fact: 'a pod of the launch is bound, an equal one waits', late: [['a1']], waiting: ['a2'], held: ['a2'] },
  { fact: 'the first of several equal ones takes the place', late: [['a1']], waiting: ['a2', 'a3'], held: ['a2'] },
  { fact: 'a pod that asks for something else waits', late: [['a1']], waiting: ['b1'], held: [] },
  { fact: 'two launches were for one pod', late: [['a1'], ['a1']], waiting: ['a1', 'a2', 'a3'], held: ['a1', 'a2'] },
  {
    fact: 'places of several classes',
    late: [['a1', 'b1'], ['b2']],
    waiting: ['b3', 'b4', 'b5', 'a1'],
    held: ['a1', 'b3', 'b4'],
  },
])('$fact', ({ late, waiting, held }) => {
  const promised = podsOfLateLaunches(
    { late: late.map((uids) => aLateClaim(...uids)), commands: [] },
    { waiting: waiting.map(aPendingPod), leavingNodes: [] },
    classOf,
  );
  expect([...promised].toSorted()).toEqual(held);
});

const aReplacement: NodeClaim = { metadata: { name: 'replacement' }, spec: {} as NodeClaim['spec'] };

test('a claim without a record holds no pod', () => {
  const none = { waiting: [aPendingPod('a1')], leavingNodes: [] };
  expect(podsOfLateLaunches({ late: [aReplacement], commands: [] }, none, classOf)).toEqual(new Set());
});

const leaving = (name: string, ...uids: readonly string[]): NodeState => ({
  nodeClaim: { metadata: { name }, spec: {} as NodeClaim['spec'] },
  pods: uids.map(aPendingPod),
});

test('pods of a node that is being replaced wait for the replacement, those of other leaving nodes do not', () => {
  const commands: readonly StoredCommand[] = [
    {
      id: 'one',
      reason: 'Underutilized',
      replacements: 1,
      startedAt: instant(0),
      candidates: [{ metadata: { name: 'old' }, spec: {} as NodeClaim['spec'] }],
      created: [aReplacement],
    },
  ];
  const pods = { waiting: [aPendingPod('a1')], leavingNodes: [leaving('old', 'a2'), leaving('expired', 'a3')] };
  expect(podsOfLateLaunches({ late: [aReplacement], commands }, pods, classOf)).toEqual(new Set(['a2']));
  expect(podsOfLateLaunches({ late: [], commands }, pods, classOf)).toEqual(new Set());
});

test('a pod of a leaving node gets one launch, and an equal one the place that it leaves', () => {
  const promisedOf = (...uids: readonly string[]) =>
    podsOfLateLaunches(
      { late: [aLateClaim('a1')], commands: [] },
      { waiting: [], leavingNodes: [leaving('expired', ...uids)] },
      classOf,
    );
  expect(promisedOf('a1', 'a2')).toEqual(new Set(['a1']));
  expect(promisedOf('a2', 'a3')).toEqual(new Set(['a2']));
});

import type { NodeClaim, Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
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
    late.map((uids) => aLateClaim(...uids)),
    waiting.map(aPendingPod),
    classOf,
  );
  expect([...promised].toSorted()).toEqual(held);
});

test('a claim without a record holds no pod', () => {
  const claim: NodeClaim = { metadata: { name: 'replacement' }, spec: {} as NodeClaim['spec'] };
  expect(podsOfLateLaunches([claim], [aPendingPod('a1')], classOf)).toEqual(new Set());
});

import { fromTimestamp, nodeClaims, type Condition, type NodeClaim } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { printEntries } from '@nodewright/testkit/worlds';
import { conditionChanged, finalizersGone, reportStatusChange, transitionsBetween } from './report.ts';

const claim = (conditions: readonly Condition[], finalizers: readonly string[] = []): NodeClaim => ({
  metadata: { name: 'default-abcde', finalizers },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  status: { conditions },
});

const launching: Condition = { type: 'Launched', status: 'Unknown', reason: 'LaunchFailed', message: 'no' };
const launched: Condition = { type: 'Launched', status: 'True', reason: 'Launched', message: '' };

test('a condition that has another status is told with its old and new status and its reason', () => {
  const [transition, ...others] = transitionsBetween(claim([launching]), claim([launched]));
  expect(others).toEqual([]);
  expect(transition && conditionChanged(nodeClaims, claim([launched]), transition)).toMatchObject({
    type: 'Normal',
    reason: 'Launched',
    message: 'Status condition transitioned, Type: Launched, Status: Unknown -> True, Reason: Launched',
  });
});

for (const { fact, before, after } of [
  { fact: 'a condition that appears is no transition', before: claim([]), after: claim([launched]) },
  {
    fact: 'another reason alone is no transition',
    before: claim([launching]),
    after: claim([{ ...launching, reason: 'Other' }]),
  },
  { fact: 'a new object has made no transition', before: undefined, after: claim([launched]) },
  { fact: 'an object that is gone has made none either', before: claim([launched]), after: undefined },
]) {
  test(fact, () => expect(transitionsBetween(before, after)).toEqual([]));
}

test('the end of an object takes its finalizers away', () => {
  expect(finalizersGone(claim([], ['karpenter.sh/termination']), undefined)).toEqual(['karpenter.sh/termination']);
  expect(finalizersGone(claim([], ['a', 'b']), claim([], ['b']))).toEqual(['a']);
});

const now = fromTimestamp('2024-03-01T12:01:00Z');
const subject = JSON.stringify({
  kind: 'nodeclaim',
  labels: { karpenter_k8s_aws_ec2nodeclass: '', karpenter_sh_nodepool: '' },
});
const going = (object: NodeClaim): NodeClaim => ({
  ...object,
  metadata: {
    ...object.metadata,
    labels: { 'karpenter.sh/nodepool': 'default' },
    deletionTimestamp: '2024-03-01T12:00:00Z',
  },
});

const at = (condition: Condition, lastTransitionTime: string): Condition => ({ ...condition, lastTransitionTime });

for (const { fact, before, after, told } of [
  {
    fact: 'a condition that changes with how long it stayed',
    before: claim([at(launching, '2024-03-01T12:00:00Z')]),
    after: claim([at(launched, '2024-03-01T12:00:03Z')]),
    told: [
      'Normal Launched NodeClaim/default-abcde: Status condition transitioned, Type: Launched, Status: Unknown -> True, Reason: Launched ()',
      `conditionChanged ${subject}, ${JSON.stringify(at(launched, '2024-03-01T12:00:03Z'))}, 3000`,
    ],
  },
  {
    fact: 'zero where a condition has no time',
    before: claim([launching]),
    after: claim([launched]),
    told: [
      'Normal Launched NodeClaim/default-abcde: Status condition transitioned, Type: Launched, Status: Unknown -> True, Reason: Launched ()',
      `conditionChanged ${subject}, ${JSON.stringify(launched)}, 0`,
    ],
  },
  {
    fact: 'the finalizer of an object that is gone',
    before: claim([launched], ['karpenter.sh/termination']),
    after: undefined,
    told: ['Normal Finalized NodeClaim/default-abcde: Finalized karpenter.sh/termination ()'],
  },
  {
    fact: 'how long the end of an object took',
    before: going(claim([])),
    after: undefined,
    told: [`objectEnded ${subject.replace('nodepool":""', 'nodepool":"default"')}, 60000`],
  },
  { fact: 'nothing of a new object', before: undefined, after: claim([launched], ['a']), told: [] },
  { fact: 'nothing of nothing', before: undefined, after: undefined, told: [] },
]) {
  test(`a change reports ${fact}`, () => {
    expect(printEntries(reportStatusChange(nodeClaims, { before, after }, now))).toEqual(told);
  });
}

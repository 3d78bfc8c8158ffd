import { conditionTrue, instant, minutes, type NodeClaim, nodeClaimConditions, withCondition } from '@nodewright/apis';
import { aPool } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { joinFailuresOn, nextJoinFailure, withJoinFailures } from './join-failures.ts';

const at = (minute: number) => instant(Date.parse('2024-01-28T16:00:00Z') + minutes(minute));

function aMachine(name: string, launchedAt: number, registeredAt?: number): NodeClaim {
  const claim: NodeClaim = {
    metadata: { name },
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
    status: { imageID: 'ami-1' },
  };
  const launched = withCondition(nodeClaimConditions, claim, conditionTrue('Launched'), at(launchedAt));
  if (registeredAt === undefined) return launched;
  return withCondition(nodeClaimConditions, launched, conditionTrue('Registered'), at(registeredAt));
}

const fail = (
  known: ReturnType<typeof joinFailuresOn>,
  {
    launched,
    now,
    specs = 'a',
    others = [],
  }: Readonly<{ launched: number; now: number; specs?: string; others?: NodeClaim[] }>,
) => nextJoinFailure(known, { claim: aMachine('one', launched), name: 'image', specs, others, now: at(now) });

test('pauses double from a minute to an hour', () => {
  let known: ReturnType<typeof joinFailuresOn> = [];
  const pauses: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const failure = fail(known, { launched: round * 100, now: round * 100 + 15 });
    if (failure === undefined) break;
    pauses.push((failure.until - failure.failedAt) / minutes(1));
    known = [failure];
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test('machines that were under way together count once', () => {
  const first = fail([], { launched: 0, now: 15 });
  expect(fail(first === undefined ? [] : [first], { launched: 1, now: 16 })).toBeUndefined();
});

test('while others of the image join, it is not to blame', () => {
  expect(fail([], { launched: 0, now: 15, others: [aMachine('two', 1, 3)] })).toBeUndefined();
  expect(fail([], { launched: 5, now: 20, others: [aMachine('old', 0, 2)] })).toMatchObject({ attempts: 1 });
});

test('another spec begins anew', () => {
  const first = fail([], { launched: 0, now: 15 });
  expect(fail(first === undefined ? [] : [first], { launched: 20, now: 35, specs: 'b' })).toMatchObject({
    attempts: 1,
  });
});

test('what is stored on a pool is read back, and nothing else', () => {
  const failure = fail([], { launched: 0, now: 15 });
  const stored = withJoinFailures(aPool(), failure === undefined ? [] : [failure]);
  expect(joinFailuresOn(stored)).toEqual([failure]);
  expect(withJoinFailures(stored, joinFailuresOn(stored))).toBe(stored);
  expect(
    joinFailuresOn({ ...stored, metadata: { name: 'p', annotations: { 'nodewright.dev/join-failures': '{"a":1}' } } }),
  ).toEqual([]);
});

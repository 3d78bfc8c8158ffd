import { fromTimestamp, karpenterAnnotations, type NodeClaim, type Pod } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { mustBeForced, terminationDeadlineOf } from './draining.ts';

const deadline = fromTimestamp('2024-03-01T12:00:00Z');

const claimWith = (annotations?: Readonly<Record<string, string>>): NodeClaim =>
  ({ metadata: { name: 'default-1', ...(annotations && { annotations }) }, spec: {} }) as unknown as NodeClaim;

const endingAt = (deletionTimestamp: string): Pod => {
  const pod = aPod('ending');
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp } };
};

const graceOf = (terminationGracePeriodSeconds?: number): Pod =>
  aPod('web', terminationGracePeriodSeconds === undefined ? {} : { terminationGracePeriodSeconds });

describe('a pod is forced from a node', () => {
  for (const { fact, pod, now, forced } of [
    { fact: 'not while its grace period still fits', pod: graceOf(60), now: '2024-03-01T11:59:00Z', forced: false },
    { fact: 'once it does not', pod: graceOf(60), now: '2024-03-01T11:59:00.001Z', forced: true },
    { fact: 'not while 30 seconds fit, without one', pod: graceOf(), now: '2024-03-01T11:59:30Z', forced: false },
    { fact: 'once 30 seconds do not fit', pod: graceOf(), now: '2024-03-01T11:59:30.001Z', forced: true },
    { fact: 'of none, at the deadline alone', pod: graceOf(0), now: '2024-03-01T12:00:00Z', forced: false },
    {
      fact: 'if its end is set for after the deadline, however early it is',
      pod: endingAt('2024-03-01T12:00:01Z'),
      now: '2024-03-01T09:00:00Z',
      forced: true,
    },
    {
      fact: 'not if it ends by the deadline, however late it is',
      pod: endingAt('2024-03-01T12:00:00Z'),
      now: '2024-03-01T11:59:59Z',
      forced: false,
    },
  ]) {
    test(fact, () => {
      expect(mustBeForced(pod, deadline, fromTimestamp(now))).toBe(forced);
    });
  }
});

test('a pod is never forced from a node that has no deadline', () => {
  expect(mustBeForced(endingAt('2024-03-01T12:00:01Z'), undefined, fromTimestamp('2024-03-02T00:00:00Z'))).toBe(false);
});

describe('the deadline of a drain', () => {
  test('is what the annotation of the claim says', () => {
    const claim = claimWith({ [karpenterAnnotations.terminationTimestamp]: '2024-03-01T12:00:00Z' });
    expect(terminationDeadlineOf(claim)).toBe(deadline);
  });

  test('is none without a claim or without the annotation', () => {
    expect([undefined, claimWith(), claimWith({ 'example.com/team': 'a' })].map(terminationDeadlineOf)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('that is no time is refused with its name and value', () => {
    const claim = claimWith({ [karpenterAnnotations.terminationTimestamp]: 'soon' });
    expect(() => terminationDeadlineOf(claim)).toThrow(
      'karpenter.sh/nodeclaim-termination-timestamp is soon, which is not an RFC 3339 time',
    );
  });
});

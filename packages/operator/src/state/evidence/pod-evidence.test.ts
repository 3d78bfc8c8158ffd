import { hours, instant, type Instant, minutes, type Pod, toTimestamp } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { type EvidencePlace } from './evidence-cells.ts';
import { PodEvidence } from './pod-evidence.ts';

const start = instant(Date.parse('2025-03-03T06:00:00Z'));
const after = (ms: number): Instant => instant(start + ms);

const places: Readonly<Record<string, EvidencePlace>> = {
  old: { claim: 'claim-old', variant: 'al2023/amd64', image: 'ami-old' },
  new: { claim: 'claim-new', variant: 'al2023/amd64', image: 'ami-new', rollout: 'production-1' },
  other: { claim: 'claim-other', variant: 'al2023/amd64', image: 'ami-other' },
};

type Start = 'running' | 'CreateContainerError';

const podOn = (nodeName: string, uid: string, boundAt: Instant, start: Start = 'running'): Pod => ({
  metadata: {
    name: uid,
    namespace: 'default',
    uid,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true }],
  },
  spec: { nodeName, containers: [{ name: 'app', image: 'pause' }] },
  status: {
    startTime: toTimestamp(boundAt),
    conditions: [{ type: 'Ready', status: start === 'running' ? 'True' : 'False' }],
    containerStatuses: [
      {
        name: 'app',
        image: 'pause',
        imageID: '',
        ready: start === 'running',
        restartCount: 0,
        state: start === 'running' ? { running: {} } : { waiting: { reason: start } },
      },
    ],
  },
});

const evidenceOf = (...pods: readonly Pod[]): PodEvidence => {
  const evidence = new PodEvidence((node) => places[node]);
  for (const pod of pods) evidence.notePod(pod);
  return evidence;
};

const question = (now: Instant) => ({
  rollout: 'production-1',
  startedAt: start,
  isPeerImage: ({ image }: { readonly image: string }) => image === 'ami-old',
  readyWithinMs: minutes(10),
  now,
});

const countersOf = (evidence: PodEvidence, now: Instant) =>
  evidence.counters(question(now)).map(({ side, starts, failedStarts, podSeconds, duePods, unreadyPods }) => ({
    side,
    starts: [failedStarts, starts],
    podSeconds,
    ready: [unreadyPods, duePods],
  }));

describe('evidence counts', () => {
  test('pods of members, and pods of peers since the start and before it', () => {
    const evidence = evidenceOf(
      podOn('new', 'a', after(minutes(5))),
      podOn('old', 'b', after(-hours(1))),
      podOn('old', 'c', after(minutes(10))),
      podOn('other', 'd', after(minutes(10))),
      podOn('elsewhere', 'e', after(minutes(10))),
    );
    expect(countersOf(evidence, after(hours(1)))).toEqual([
      { side: 'members', starts: [0, 1], podSeconds: 55 * 60, ready: [0, 1] },
      { side: 'peers', starts: [0, 1], podSeconds: 110 * 60, ready: [0, 1] },
      { side: 'peersBefore', starts: [0, 1], podSeconds: 60 * 60, ready: [0, 1] },
    ]);
  });

  test('a pod that is gone as one that is there, by the time that it was there', () => {
    const evidence = evidenceOf(podOn('old', 'b', after(-minutes(90))), podOn('new', 'a', after(minutes(5))));
    evidence.notePodEnd(podOn('old', 'b', after(-minutes(90))), after(minutes(30)));
    evidence.notePodEnd(podOn('new', 'a', after(minutes(5))), after(minutes(20)));
    expect(countersOf(evidence, after(hours(1)))).toEqual([
      { side: 'members', starts: [0, 1], podSeconds: 15 * 60, ready: [0, 1] },
      { side: 'peers', starts: [0, 0], podSeconds: 30 * 60, ready: [0, 0] },
      { side: 'peersBefore', starts: [0, 1], podSeconds: 90 * 60, ready: [0, 1] },
    ]);
  });

  test('retries of a start once, and a pod as late after its time', () => {
    const late = podOn('new', 'a', after(0), 'CreateContainerError');
    const evidence = evidenceOf(late, late, late);
    expect(countersOf(evidence, after(minutes(9)))).toEqual([
      { side: 'members', starts: [1, 1], podSeconds: 9 * 60, ready: [0, 0] },
    ]);
    expect(countersOf(evidence, after(minutes(10)))).toEqual([
      { side: 'members', starts: [1, 1], podSeconds: 10 * 60, ready: [1, 1] },
    ]);
  });

  test('nothing of pods that were gone more than a week before', () => {
    const evidence = evidenceOf(podOn('old', 'b', after(-hours(24 * 8))));
    evidence.notePodEnd(podOn('old', 'b', after(-hours(24 * 8))), after(-hours(24 * 7 + 1)));
    expect(countersOf(evidence, after(hours(1)))).toEqual([]);
  });
});

describe('a start is stuck', () => {
  const stuck = podOn('new', 'a', after(0), 'CreateContainerError');

  test('when pods of the same owner start elsewhere', () => {
    expect(evidenceOf(stuck, podOn('old', 'b', after(-hours(1)))).stuckOn('claim-new')).toEqual({
      pods: 1,
      since: start,
    });
  });

  test.for([
    { fact: 'none runs elsewhere', others: [] },
    { fact: 'one fails elsewhere too', others: [podOn('old', 'b', after(0)), podOn('other', 'c', after(0), 'CreateContainerError')] }, // prettier-ignore
  ])('not when $fact', ({ others }) => {
    expect(evidenceOf(stuck, ...others).stuckOn('claim-new')).toBeUndefined();
  });

  test('also when those elsewhere are gone', () => {
    const evidence = evidenceOf(stuck, podOn('old', 'b', after(-hours(1))));
    evidence.notePodEnd(podOn('old', 'b', after(-hours(1))), after(minutes(1)));
    expect(evidence.stuckOn('claim-new')).toEqual({ pods: 1, since: start });
  });
});

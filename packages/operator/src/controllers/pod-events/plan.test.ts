import { fromTimestamp, instant, seconds, toTimestamp, type Instant, type NodeClaim, type Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { planPodEvent } from './plan.ts';

const came = fromTimestamp('2024-03-01T12:00:00Z');

const pod: Pod = {
  metadata: { name: 'web', creationTimestamp: toTimestamp(came) },
  spec: { containers: [], nodeName: 'ip-a' },
};

const aClaim = (lastPodEventTime?: Instant, leaving = {}): NodeClaim => ({
  metadata: { name: 'default-a', ...leaving },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  status: {
    nodeName: 'ip-a',
    ...(lastPodEventTime === undefined ? {} : { lastPodEventTime: toTimestamp(lastPodEventTime) }),
  },
});

const later = (ms: number): Instant => instant(came + ms);

test('the first pod of a claim is noted, beside the rest of its status', () => {
  expect(planPodEvent(aClaim(), pod, later(5_000)).status).toEqual({
    nodeName: 'ip-a',
    lastPodEventTime: toTimestamp(came),
  });
});

test('the clock of the pod is not believed when it is ahead', () => {
  expect(planPodEvent(aClaim(), pod, later(-3_000)).status?.lastPodEventTime).toBe(toTimestamp(later(-3_000)));
});

test.each([
  ['ten seconds after the last note a pod is noted', later(-seconds(10)), true],
  ['earlier it is not', later(-seconds(10) + 1_000), false],
  ['one that came before the last note is not', later(seconds(60)), false],
])('%s', (_, last, isNoted) => {
  const claim = aClaim(last);
  const after = planPodEvent(claim, pod, later(seconds(120)));
  expect(after === claim).toBe(!isNoted);
  expect(after.status?.lastPodEventTime).toBe(toTimestamp(isNoted ? came : last));
});

test('a claim that is leaving stays as it is', () => {
  const claim = aClaim(undefined, { deletionTimestamp: toTimestamp(came) });
  expect(planPodEvent(claim, pod, later(0))).toBe(claim);
});

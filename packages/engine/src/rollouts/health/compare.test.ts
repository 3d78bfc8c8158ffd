import { expect, test } from 'vitest';
import { compareWithPeers, printComparison } from './compare.ts';
import { tailProbability } from './conditional-test.ts';
import type { OwnerCounters } from '../owner-counters.ts';
import { allowedErrorOfLook, allowedErrorOfRollout } from './error-budget.ts';
import { sufficientStarts } from './sufficient-evidence.ts';

const variant = 'AL2023/amd64/none';
const row = (side: OwnerCounters['side'], starts: number, failedStarts: number, owner = 'web'): OwnerCounters => ({
  variant,
  side,
  owner,
  starts,
  failedStarts,
  podSeconds: 0,
  restartedPods: 0,
  duePods: 0,
  unreadyPods: 0,
});
const compare = (...counters: readonly OwnerCounters[]) =>
  compareWithPeers({
    variant,
    signal: 'containerStarts',
    counters,
    last: undefined,
    count: { signals: 3, variants: 1 },
    isFinal: true,
  });

test('the tail is that of the binomial', () => {
  const half = { memberExposure: 1, peerExposure: 1 };
  expect(tailProbability([{ ...half, memberEvents: 3, peerEvents: 0 }])).toBeCloseTo(1 / 8, 12);
  expect(tailProbability([{ ...half, memberEvents: 2, peerEvents: 1 }])).toBeCloseTo(1 / 2, 12);
  expect(tailProbability([{ ...half, memberEvents: 0, peerEvents: 9 }])).toBe(1);
});

test('owners that ran on one side only tell nothing', () => {
  expect(tailProbability([{ memberEvents: 9, memberExposure: 9, peerEvents: 0, peerExposure: 0 }])).toBe(1);
});

test('thousands of events are judged by a bound that is never smaller than the exact tail', () => {
  const stratum = (events: number) => ({
    memberEvents: events,
    memberExposure: 1,
    peerEvents: events * 9,
    peerExposure: 9,
  });
  expect(tailProbability([stratum(150)])).toBeLessThan(tailProbability([stratum(300)]) + 0.5);
  expect(tailProbability([stratum(300)])).toBeGreaterThan(0.4);
});

test('the errors of all looks, signals and variants stay within that of the rollout', () => {
  const count = { signals: 3, variants: 4 };
  const looks = Array.from({ length: 10_000 }, (_, index) => allowedErrorOfLook(index + 1, count));
  expect(looks.reduce((sum, error) => sum + error, 0) * 12).toBeLessThanOrEqual(allowedErrorOfRollout);
});

for (const { fact, counters, isWorse } of [
  {
    fact: 'an image that breaks starts is worse',
    counters: [row('members', 200, 10), row('peers', 2_000, 0), row('peersBefore', 40_000, 0)],
    isWorse: true,
  },
  {
    fact: 'an application that fails everywhere is compared with itself',
    counters: [row('members', 200, 100), row('peers', 2_000, 1_000), row('peersBefore', 40_000, 20_000)],
    isWorse: false,
  },
  {
    fact: 'what begins to fail on old nodes at the same time is not the image',
    counters: [row('members', 200, 20), row('peers', 2_000, 200), row('peersBefore', 40_000, 0)],
    isWorse: false,
  },
  {
    fact: 'a new version of an application has no past to be compared with',
    counters: [row('members', 5, 5, 'web-2'), row('peers', 50, 50, 'web-2'), row('peersBefore', 40_000, 0)],
    isWorse: false,
  },
]) {
  test(fact, () => expect(compare(...counters)?.isWorse).toBe(isWorse));
}

test('a look is made when the starts have doubled, and not before', () => {
  const counters = [row('members', 30, 0), row('peers', 100, 0)];
  const at = (starts: number, isFinal: boolean) =>
    compareWithPeers({
      variant,
      signal: 'containerStarts',
      counters,
      last: { variant, signal: 'containerStarts', looks: 2, starts },
      count: { signals: 3, variants: 1 },
      isFinal,
    })?.look.looks;
  expect([at(15, false), at(16, false), at(16, true), at(30, true)]).toEqual([3, undefined, 3, undefined]);
});

test('the evidence is told in words', () => {
  const comparison = compare(row('members', 231, 4), row('peers', 412, 0), row('peersBefore', 1_000, 0));
  expect(comparison && printComparison(comparison)).toBe(
    '4 failed container starts in 231 on new nodes; 0 in 1412 on old ones',
  );
});

test('few starts, and few peers, are never sufficient', () => {
  expect(sufficientStarts(40_000, 1e-6)).toBe(200);
  expect(sufficientStarts(400, 1e-6)).toBeGreaterThan(200);
  expect(sufficientStarts(0, 1e-6)).toBeUndefined();
});

for (const { fact, members, isFinal = true, isMade } of [
  { fact: 'exposure has doubled', members: [200, 1], isFinal: false, isMade: true },
  { fact: 'exposure has not doubled', members: [199, 9], isFinal: false, isMade: false },
  { fact: 'the wave is about to end and a tenth more was seen', members: [110, 1], isMade: true },
  { fact: 'the wave is about to end and hardly more was seen', members: [109, 1], isMade: false },
  { fact: 'the wave is about to end and one more has failed', members: [101, 2], isMade: true },
] as const) {
  test(`when ${fact} there is ${isMade ? 'another look' : 'no further look'}`, () => {
    const [starts, failed] = members;
    const last = { variant, signal: 'containerStarts', looks: 3, starts: 100, events: 1 };
    const count = { signals: 3, variants: 1 };
    const counters = [row('members', starts, failed), row('peers', 1_000, 9)];
    const found = compareWithPeers({ variant, signal: 'containerStarts', counters, last, count, isFinal });
    expect(found?.look).toEqual(isMade ? { ...last, looks: 4, starts, events: failed } : undefined);
  });
}

import type { RolloutEvidence } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { keepSteadyEvidence } from './evidence.ts';

const sums = {
  starts: 100,
  failedStarts: 1,
  podSeconds: 360_000,
  restartedPods: 2,
  duePods: 100,
  unreadyPods: 0,
};

const evidence = (members: Partial<typeof sums>, peers: Partial<typeof sums> = {}): RolloutEvidence => ({
  variant: 'al2023/amd64',
  members: { ...sums, ...members },
  peers: { ...sums, ...peers },
  summary: JSON.stringify([members, peers]),
});

test.for([
  { fact: 'starts that are a tenth more', now: evidence({ starts: 110, duePods: 110 }), isStored: false },
  { fact: 'starts that are more than a tenth more', now: evidence({ starts: 111 }), isStored: true },
  { fact: 'the time of pods that is a tenth more', now: evidence({}, { podSeconds: 396_000 }), isStored: false },
  {
    fact: 'the time of pods that is more than a tenth more',
    now: evidence({}, { podSeconds: 396_001 }),
    isStored: true,
  },
  { fact: 'starts that are fewer, as after a restart', now: evidence({ starts: 80 }), isStored: true },
  { fact: 'one more failed start', now: evidence({ failedStarts: 2 }), isStored: true },
  { fact: 'one more pod with a restart among peers', now: evidence({}, { restartedPods: 3 }), isStored: true },
  { fact: 'one more pod that is not Ready', now: evidence({ unreadyPods: 1 }), isStored: true },
])('of $fact, something is stored: $isStored', ({ now, isStored }) => {
  const stored = evidence({});
  expect(keepSteadyEvidence([stored], [now])).toEqual([isStored ? now : stored]);
});

test('the first start and the first hours of pods are stored', () => {
  const stored = evidence({ starts: 0, podSeconds: 0, duePods: 0 });
  const started = evidence({ starts: 1, podSeconds: 0, duePods: 0 });
  const laterOn = evidence({ starts: 0, podSeconds: 3_601, duePods: 0 });
  expect(keepSteadyEvidence([stored], [started])).toEqual([started]);
  expect(keepSteadyEvidence([stored], [laterOn])).toEqual([laterOn]);
  expect(keepSteadyEvidence(undefined, [stored])).toEqual([stored]);
});

import { hours, instant, minutes } from '@nodewright/apis';
import type { RolloutNode } from '@nodewright/engine';
import { expect, test } from 'vitest';
import { lookPeriodOf } from './look-period.ts';

const now = instant(hours(100));
const ago = (ms: number) => instant(now - ms);

const soaking: RolloutNode = {
  name: 'default-1',
  object: 'NodePool/default',
  variant: 'al2023/amd64',
  image: 'ami-1',
  labels: {},
  zone: 'us-east-1a',
  createdAt: ago(hours(2)),
  initializedAt: ago(hours(1)),
  ready: true,
  readySince: ago(hours(1)),
  troubles: [],
  pods: 3,
  readyPods: 3,
  leaving: false,
};

test('a rollout whose nodes only soak is looked at every five minutes', () => {
  expect(lookPeriodOf([soaking, { ...soaking, name: 'default-2' }], now)).toBe(minutes(5));
});

test.for<{ readonly fact: string; readonly change: Partial<RolloutNode> }>([
  { fact: 'is new', change: { initializedAt: ago(minutes(29)) } },
  { fact: 'is not Ready', change: { ready: false } },
  { fact: 'became Ready again lately', change: { readySince: ago(minutes(29)) } },
  { fact: 'tells of trouble', change: { troubles: ['KernelDeadlock'] } },
  { fact: 'leaves', change: { leaving: true } },
  { fact: 'has a pod that is not Ready', change: { readyPods: 2 } },
  { fact: 'has a pod that cannot start', change: { stuckStarts: { pods: 1, since: ago(0) } } },
])('a rollout with a node that $fact is looked at every minute', ({ change }) => {
  expect(lookPeriodOf([soaking, { ...soaking, ...change }], now)).toBe(minutes(1));
});

test('a rollout with a node that has not joined is looked at every minute', () => {
  const { initializedAt: _none, ...joining } = soaking;
  expect(lookPeriodOf([joining], now)).toBe(minutes(1));
});

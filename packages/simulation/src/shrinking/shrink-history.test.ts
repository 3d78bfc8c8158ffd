import { expect, test } from 'vitest';
import { drawHistory } from '../histories/draw-history.ts';
import { formatHistory, readHistory } from '../histories/history-file.ts';
import type { History } from '../histories/history.ts';
import { shrinkHistory } from './shrink-history.ts';

const history = drawHistory('shrinking', { nodes: 8 });

/** Fails as long as the sixth step and one workload of two replicas at least are left. */
const fails = async ({ steps, cluster }: History): Promise<boolean> =>
  steps.some((step) => step === history.steps[5]) && cluster.workloads.some(({ replicas }) => replicas >= 2);

test('a failing history is reduced to the step and the workload that it needs', async () => {
  const { steps, cluster, minutes } = await shrinkHistory(history, { fails, mayGoOn: () => true });
  expect(steps).toEqual([history.steps[5]]);
  expect(cluster.workloads).toHaveLength(1);
  expect([cluster.operators, cluster.pools[0]?.expireAfter]).toEqual([1, 'Never']);
  expect(minutes).toBe(Math.ceil(steps[0]?.at ?? 0));
});

test('nothing is tried when the time is over', async () => {
  expect(await shrinkHistory(history, { fails, mayGoOn: () => false })).toBe(history);
});

test('a history is the same after it was written and read', () => {
  expect(readHistory(formatHistory(history))).toEqual(history);
});

test('a seed has one history', () => {
  expect(drawHistory('shrinking', { nodes: 8 })).toEqual(history);
});

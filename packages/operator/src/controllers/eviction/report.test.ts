import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { evictionRefused } from './report.ts';

const node = { metadata: { name: 'n' } };
const pod = aPod('web', { nodeName: 'n' });
const budgets = ['default/web'];

test('a refused eviction names the budget, and whether it can ever allow one', () => {
  const now = evictionRefused(node, pod, { kind: 'exhaustedBudget', budgets, desiredHealthy: 2, currentHealthy: 1 });
  const never = evictionRefused(node, pod, { kind: 'fullyBlockingBudget', budgets, rule: 'its maxUnavailable is 0' });
  expect(now.message).toBe(
    'Failed to drain node, evicting pod default/web violates a PDB: PodDisruptionBudget default/web allows no eviction of pod default/web now: it needs 2 healthy pods and has 1',
  );
  expect(never.message).toContain('PodDisruptionBudget default/web never allows an eviction of pod default/web');
  expect(never.dedupe).not.toEqual(now.dedupe);
});

test('a refusal that the cache cannot explain is told all the same', () => {
  expect(evictionRefused(node, pod, undefined).message).toBe(
    'Failed to drain node, evicting pod default/web violates a PDB',
  );
});

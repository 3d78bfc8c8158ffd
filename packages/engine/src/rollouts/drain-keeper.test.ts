import { expect, test } from 'vitest';
import { type DrainKeeper, printDrainKeeper } from './drain-keeper.ts';

test.each<[DrainKeeper, string]>([
  [{ pod: 'shop/db-0', podDisruptionBudget: 'shop/db' }, 'pod shop/db-0 keeps it (PodDisruptionBudget shop/db)'],
  [{ pod: 'shop/db-0' }, 'pod shop/db-0 keeps it (karpenter.sh/do-not-disrupt)'],
  [{}, 'its annotation karpenter.sh/do-not-disrupt keeps it'],
])('what keeps a node from being drained is one clause: %j', (keeper, clause) => {
  expect(printDrainKeeper(keeper)).toBe(clause);
});

import { type Budget, fromTimestamp, toTimestamp } from '@nodewright/apis';
import { aNodePool } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { findBudgetOpening } from './budget-opening.ts';

/** A Friday. */
const now = fromTimestamp('2024-03-01T12:00:00Z');
const closed = { nodes: '0' };

test.each<{ fact: string; budgets: readonly Budget[]; opens: string | undefined }>([
  { fact: 'no schedule opens one without a schedule', budgets: [closed], opens: undefined },
  {
    fact: 'one that is closed in working hours opens at their end',
    budgets: [{ ...closed, schedule: '0 8 * * mon-fri', duration: '10h' }],
    opens: '2024-03-01T18:00:00Z',
  },
  {
    fact: 'one that is closed for all hours of each day does not open',
    budgets: [{ ...closed, schedule: '0 0 * * *', duration: '24h' }],
    opens: undefined,
  },
  {
    fact: 'all of them have to be open',
    budgets: [
      { ...closed, schedule: '0 8 * * *', duration: '10h' },
      { ...closed, schedule: '0 18 * * *', duration: '4h' },
    ],
    opens: '2024-03-01T22:00:00Z',
  },
  {
    fact: 'those for other reasons do not count',
    budgets: [{ ...closed, reasons: ['Empty'], schedule: '0 8 * * *', duration: '10h' }],
    opens: '2024-03-01T18:00:00Z',
  },
  { fact: 'one that cannot be read does not open', budgets: [{ nodes: '1', schedule: 'never' }], opens: undefined },
])('$fact', ({ budgets, opens }) => {
  const pool = aNodePool('default', { disruption: { consolidateAfter: '0s', budgets } });
  const at = findBudgetOpening(pool, 10, now);
  expect(at === undefined ? undefined : toTimestamp(at)).toBe(opens);
});

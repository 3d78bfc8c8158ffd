import { fromTimestamp, instant, toTimestamp } from '@nodewright/apis';
import type { Budget, DisruptionReason } from '@nodewright/apis';
import { aNode } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import {
  allowanceOfBudget,
  budgetComplaints,
  disruptionsAllowed,
  isBudgetOpen,
  nextBudgetChange,
  unlimited,
} from './budgets.ts';
import { poolCounts } from './pool-counts.ts';

const noon = fromTimestamp('2024-03-01T12:00:00Z');
const open: Budget = { nodes: '1', schedule: '0 11 * * *', duration: '2h' };
const closed: Budget = { nodes: '1', schedule: '0 9 * * *', duration: '2h' };

for (const { fact, budgets, total = 10, reason = 'Drifted', allowed } of [
  { fact: 'no budget at all allows everything', budgets: [], allowed: unlimited },
  { fact: 'an absent list is the default of 10%', budgets: undefined, total: 30, allowed: 3 },
  { fact: 'a count stands for itself', budgets: [{ nodes: '3' }], allowed: 3 },
  { fact: 'a percentage rounds up', budgets: [{ nodes: '10%' }], total: 4, allowed: 1 },
  { fact: 'zero closes the pool for every reason', budgets: [{ nodes: '0' }], allowed: 0 },
  { fact: 'zero percent closes it too', budgets: [{ nodes: '0%' }], allowed: 0 },
  { fact: 'the tightest of several wins', budgets: [{ nodes: '5' }, { nodes: '20%' }], allowed: 2 },
  {
    fact: 'a budget for another reason does not count',
    budgets: [{ nodes: '0', reasons: ['Empty'] }],
    allowed: unlimited,
  },
  { fact: 'a budget for this reason counts', budgets: [{ nodes: '0', reasons: ['Drifted'] }], allowed: 0 },
  { fact: 'an empty list of reasons is for none', budgets: [{ nodes: '0', reasons: [] }], allowed: unlimited },
  { fact: 'an open schedule constrains', budgets: [open], allowed: 1 },
  { fact: 'a closed one does not', budgets: [closed], allowed: unlimited },
  { fact: 'an unreadable count closes the pool', budgets: [{ nodes: 'some' }, { nodes: '5' }], allowed: 0 },
  {
    fact: 'an unreadable schedule closes the pool, even for another reason',
    budgets: [{ nodes: '5', reasons: ['Empty'], schedule: 'noon', duration: '1h' }],
    allowed: 0,
  },
  { fact: 'an unreadable duration closes the pool', budgets: [{ ...open, nodes: '5', duration: 'long' }], allowed: 0 },
] as readonly {
  fact: string;
  budgets: readonly Budget[] | undefined;
  total?: number;
  reason?: DisruptionReason;
  allowed: number;
}[]) {
  test(fact, () => {
    expect(allowanceOfBudget(budgets, total, { reason, now: noon })).toBe(allowed);
  });
}

test('unlimited is the largest number of 32 bits', () => {
  expect(unlimited).toBe(2_147_483_647);
});

test('what is away already is taken off, and nothing below zero is left', () => {
  const allowed = (disrupting: number) =>
    disruptionsAllowed([{ nodes: '2' }], { total: 10, disrupting }, { reason: 'Drifted', now: noon });
  expect([0, 1, 2, 3].map(allowed)).toEqual([2, 1, 0, 0]);
});

describe('a window', () => {
  const window: Budget = { nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h' };
  for (const { at, isActive } of [
    { at: '2024-03-01T08:59:59Z', isActive: false },
    { at: '2024-03-01T09:00:00Z', isActive: true },
    { at: '2024-03-01T16:59:59Z', isActive: true },
    { at: '2024-03-01T17:00:00Z', isActive: false },
    { at: '2024-03-02T10:00:00Z', isActive: false },
  ]) {
    test(`is ${isActive ? 'open' : 'closed'} at ${at}`, () => {
      expect(isBudgetOpen(window, fromTimestamp(at))).toBe(isActive);
    });
  }
  test('longer than its period is always open', () => {
    expect(isBudgetOpen({ nodes: '0', schedule: '@daily', duration: '25h' }, noon)).toBe(true);
  });
  test('without a duration or without a schedule is always open', () => {
    expect(isBudgetOpen({ nodes: '0', schedule: '0 9 * * *' }, noon)).toBe(true);
    expect(isBudgetOpen({ nodes: '0', duration: '1s' }, noon)).toBe(true);
  });
  test('that never comes is always open', () => {
    expect(isBudgetOpen({ nodes: '0', schedule: '0 0 30 2 *', duration: '1h' }, noon)).toBe(true);
  });
  for (const { fact, now, change } of [
    { fact: 'changes next when it opens', now: '2024-03-01T08:00:00Z', change: '2024-03-01T09:00:00Z' },
    {
      fact: 'changes next when it closes, from its first moment on',
      now: '2024-03-01T09:00:00Z',
      change: '2024-03-01T17:00:00Z',
    },
    { fact: 'changes next when it closes', now: '2024-03-01T10:00:00Z', change: '2024-03-01T17:00:00Z' },
    { fact: 'waits for Monday from Friday evening on', now: '2024-03-01T18:00:00Z', change: '2024-03-04T09:00:00Z' },
  ]) {
    test(fact, () => {
      const at = nextBudgetChange([window], fromTimestamp(now));
      expect(at && toTimestamp(at)).toBe(change);
    });
  }
  test('that is the first of several to change decides', () => {
    const later: Budget = { nodes: '0', schedule: '0 20 * * *', duration: '1h' };
    expect(nextBudgetChange([later, window], noon)).toBe(fromTimestamp('2024-03-01T17:00:00Z'));
  });
});

describe('nothing changes', () => {
  for (const { fact, budgets } of [
    { fact: 'without budgets', budgets: [] },
    { fact: 'with the default', budgets: undefined },
    { fact: 'with a budget that is always open', budgets: [{ nodes: '1' }, { nodes: '1', schedule: '0 9 * * *' }] },
    { fact: 'with a window that never comes', budgets: [{ nodes: '1', schedule: '0 0 30 2 *', duration: '1h' }] },
    { fact: 'while a budget cannot be read', budgets: [{ nodes: 'some' }, open] },
  ] as readonly { fact: string; budgets: readonly Budget[] | undefined }[]) {
    test(fact, () => {
      expect(nextBudgetChange(budgets, noon)).toBeUndefined();
    });
  }
});

test('complaints name the value and what would be right', () => {
  const [complaint] = budgetComplaints([{ nodes: '-1' }]);
  expect(complaint?.message).toContain('-1');
});

describe('the nodes that count', () => {
  test('are managed, initialized and not being terminated', () => {
    const nodes = [
      aNode('a'),
      aNode('unmanaged', { managed: false, labels: { 'karpenter.sh/nodepool': 'default' } }),
      aNode('starting', { stage: 'registered' }),
      aNode('terminating', { claimConditions: [{ type: 'InstanceTerminating', status: 'True' }] }),
      aNode('elsewhere', { nodePool: 'other' }),
    ];
    expect(poolCounts('default', nodes)).toMatchObject({ total: 1, disrupting: 0 });
  });
  test('are none in a pool without nodes', () => {
    expect(poolCounts('default', [aNode('elsewhere', { nodePool: 'other' })])).toEqual({
      total: 0,
      disrupting: 0,
      notReady: 0,
    });
  });
  test('are ready by the condition Ready alone, and away without it', () => {
    const withConditions = (name: string, conditions: readonly object[] | undefined) => {
      const state = aNode(name);
      return { ...state, node: { ...state.node, status: { ...state.node?.status, conditions } } } as typeof state;
    };
    const nodes = [
      withConditions('a', [
        { type: 'MemoryPressure', status: 'False' },
        { type: 'Ready', status: 'True' },
      ]),
      withConditions('b', [{ type: 'NetworkingReady', status: 'True' }]),
      withConditions('c', undefined),
    ];
    expect(poolCounts('default', nodes)).toMatchObject({ total: 3, disrupting: 2 });
  });
  test('are away while not ready or marked for deletion', () => {
    const nodes = [aNode('a'), aNode('b', { ready: false }), aNode('c', { markedForDeletion: true })];
    expect(poolCounts('default', nodes)).toMatchObject({ total: 3, disrupting: 2 });
  });
});

test('a budget that was asked before says the same as one that is asked for the first time', () => {
  const sometimes: Budget = { nodes: '1', schedule: '0 9 * * sat-sun', duration: '24h' };
  const overlapping: Budget = { nodes: '1', schedule: '0 */6 * * *', duration: '8h' };
  const hours = [0, 1, 21, 45, 44, 70, 69, 93, 200, 3, 0, 168, 21];
  for (const budget of [open, closed, sometimes, overlapping])
    for (const hour of hours) {
      const at = instant(noon + hour * 3_600_000);
      expect(isBudgetOpen(budget, at)).toBe(isBudgetOpen({ ...budget }, at));
      expect(nextBudgetChange([budget], at)).toBe(nextBudgetChange([{ ...budget }], at));
    }
});

import { type Budget, fromTimestamp } from '@nodewright/apis';
import { aLoosePool, aNode } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { BudgetLedger } from './budget-ledger.ts';

const at = { reason: 'Drifted', now: fromTimestamp('2024-03-01T12:00:00Z') } as const;

const poolWith = (budgets: readonly Budget[], name = 'default') => {
  const pool = aLoosePool(name);
  return { ...pool, spec: { ...pool.spec, disruption: { ...pool.spec.disruption, budgets } } };
};

test('each node that is taken leaves room for one less, down to none', () => {
  const pool = poolWith([{ nodes: '2' }]);
  const ledger = new BudgetLedger([aNode('a'), aNode('b'), aNode('c')], at);
  const remaining = [ledger.remaining(pool)];
  for (let taken = 1; taken <= 3; taken += 1) {
    ledger.take(pool);
    remaining.push(ledger.remaining(pool));
  }
  expect(remaining).toEqual([2, 1, 0, 0]);
});

test('nodes that are away count from the beginning', () => {
  const pool = poolWith([{ nodes: '2' }]);
  const ledger = new BudgetLedger([aNode('a'), aNode('b', { ready: false })], at);
  expect([ledger.remaining(pool), ledger.blockerOf(pool)]).toEqual([1, undefined]);
  ledger.take(pool);
  expect(ledger.blockerOf(pool)).toEqual({ kind: 'budget', nodePool: 'default', allowed: 2, disrupting: 2 });
});

test('a share is one of the nodes that count, and of none is none', () => {
  const half = [{ nodes: '50%' }];
  const ledger = new BudgetLedger([aNode('a'), aNode('b'), aNode('c')], at);
  expect(ledger.remaining(poolWith(half))).toBe(2);
  expect(ledger.remaining(poolWith(half, 'empty'))).toBe(0);
});

test('no node of an empty pool is away', () => {
  const empty = poolWith([{ nodes: '0' }], 'empty');
  const blocker = new BudgetLedger([], at).blockerOf(empty);
  expect(blocker).toEqual({ kind: 'budget', nodePool: 'empty', allowed: 0, disrupting: 0 });
});

test('pools have budgets of their own', () => {
  const [pool, other] = [poolWith([{ nodes: '1' }]), poolWith([{ nodes: '1' }], 'other')];
  const ledger = new BudgetLedger([aNode('a'), aNode('b', { nodePool: 'other' })], at);
  ledger.take(pool);
  expect([ledger.remaining(pool), ledger.remaining(other)]).toEqual([0, 1]);
});

test('budgets are read once: those of another time or reason do not count in between', () => {
  const pool = poolWith([{ nodes: '0', reasons: ['Empty'] }, { nodes: '3' }]);
  const ledger = new BudgetLedger([aNode('a')], at);
  expect(ledger.remaining(pool)).toBe(3);
  expect(ledger.remaining(poolWith([{ nodes: '1' }]))).toBe(3);
});

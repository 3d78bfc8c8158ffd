import { type Budget, fromTimestamp } from '@nodewright/apis';
import { aLoosePool, aNode } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { nodeNameOf, type NodeState } from '../../cluster/node-state.ts';
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

const sick = { ready: false };

/** Whether each of the nodes may go, where the claims of some are taken back. */
const mayGo = (nodes: readonly NodeState[], takenBack: readonly string[], budget = '1') => {
  const pool = poolWith([{ nodes: budget }]);
  const names = nodes
    .filter((state) => takenBack.includes(nodeNameOf(state)))
    .map(({ nodeClaim }) => nodeClaim?.metadata.name ?? '');
  const ledger = new BudgetLedger(nodes, at, new Set(names));
  return nodes.map((state) => ledger.blockerOf(pool, state) === undefined);
};

test.each([
  { fact: 'a sick node keeps itself', nodes: [aNode('a', sick)], takenBack: [], go: [false] },
  { fact: 'not from being taken back', nodes: [aNode('a', sick)], takenBack: ['a'], go: [true] },
  {
    fact: 'nor do two keep each other',
    nodes: [aNode('a', sick), aNode('b', sick)],
    takenBack: ['a', 'b'],
    go: [true, true],
  },
  {
    fact: 'nor does one of no rollback, which stays',
    nodes: [aNode('a', sick), aNode('b', sick)],
    takenBack: ['a'],
    go: [true, false],
  },
  {
    fact: 'a ready one waits for the sick',
    nodes: [aNode('a', sick), aNode('b')],
    takenBack: ['a', 'b'],
    go: [true, false],
  },
  {
    fact: 'one that goes counts as ever',
    nodes: [aNode('a', sick), { ...aNode('b', sick), markedForDeletion: true }],
    takenBack: ['a', 'b'],
    go: [false, false],
  },
  { fact: 'a budget of none holds', nodes: [aNode('a', sick)], takenBack: ['a'], go: [false], budget: '0' },
])('$fact', ({ nodes, takenBack, go, budget }) => {
  expect(mayGo(nodes, takenBack, budget)).toEqual(go);
});

test('each sick node that is taken leaves room for one less', () => {
  const pool = poolWith([{ nodes: '1' }]);
  const [first, second] = [aNode('a', sick), aNode('b', sick)];
  const names = [first, second].map(({ nodeClaim }) => nodeClaim?.metadata.name ?? '');
  const ledger = new BudgetLedger([first, second], at, new Set(names));
  ledger.take(pool);
  expect(ledger.blockerOf(pool, second)).toEqual({ kind: 'budget', nodePool: 'default', allowed: 1, disrupting: 1 });
});

test('it is said when the node that is away is the one that would go', () => {
  const pool = poolWith([{ nodes: '1' }]);
  const node = aNode('a', sick);
  expect(new BudgetLedger([node, aNode('b')], at).blockerOf(pool, node)).toMatchObject({ isItself: true });
  expect(new BudgetLedger([node, aNode('b', sick)], at).blockerOf(pool, node)).not.toHaveProperty('isItself');
});

test('what keeps nodes is the same object until one more is taken', () => {
  const pool = poolWith([{ nodes: '1' }]);
  const ledger = new BudgetLedger([aNode('a'), aNode('b'), aNode('c')], at);
  ledger.take(pool);
  const first = ledger.blockerOf(pool);
  expect(ledger.blockerOf(pool)).toBe(first);
  expect(first).toMatchObject({ disrupting: 1 });
  ledger.take(pool);
  expect(ledger.blockerOf(pool)).toMatchObject({ disrupting: 2 });
});

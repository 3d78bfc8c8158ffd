import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { type MoveBlocker, printMoveBlocker } from './gate.ts';

const until = fromTimestamp('2026-06-01T10:00:00Z');

test.each<[MoveBlocker, string]>([
  [{ gate: 'approval', message: 'wave half needs an approval' }, 'wave half needs an approval'],
  [
    { gate: 'pace', message: 'a node was begun', until },
    'a node was begun, until 2026-06-01T10:00:00Z at the earliest',
  ],
  [
    { gate: 'parked', message: 'it cannot be drained', until },
    'it cannot be drained; it is tried again when that changes, and at 2026-06-01T10:00:00Z at the latest',
  ],
])('what holds a node is one clause: %j', (blocker, clause) => {
  expect(printMoveBlocker(blocker)).toBe(clause);
});

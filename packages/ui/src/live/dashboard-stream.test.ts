import { compareDashboards, emptyDashboard, type WaitingRow } from '@nodewright/dashboard/rows';
import { expect, test } from 'vitest';
import { receiveFeedMessage } from './dashboard-stream.ts';

const aGroup = (id: string, pods: number): WaitingRow => ({
  id,
  stage: 'noPlace',
  answer: '',
  reasons: [],
  pods,
  names: [],
  explain: `pod/default/${id}`,
});

test('messages add up to what the server has, and a new connection begins anew', () => {
  const first = { ...emptyDashboard, waiting: [aGroup('a', 1), aGroup('b', 1)] };
  const second = { ...first, at: '2024-03-01T12:00:01Z', waiting: [aGroup('b', 4)] };
  const start = receiveFeedMessage(
    { dashboard: emptyDashboard, isComplete: false },
    { dashboard: first, isComplete: true, problem: 'slow' },
  );
  expect(start).toEqual({ dashboard: first, isComplete: true, problem: 'slow' });
  const next = receiveFeedMessage(start, { changes: compareDashboards(first, second), isComplete: true });
  expect(next).toEqual({ dashboard: second, isComplete: true });
  expect(receiveFeedMessage(next, { dashboard: first, isComplete: true }).dashboard).toBe(first);
});

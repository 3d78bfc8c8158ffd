import { fromTimestamp } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { ApiError } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import type { EvictionOutcome } from './perform.ts';
import type { EvictionSnapshot } from './plan.ts';
import { evictionRefused, reportEviction } from './report.ts';

const node = { metadata: { name: 'n' } };
const pod = aPod('web', { nodeName: 'n' });
const budgets = ['default/web'];
const drifted = aClaim('one', {
  claimConditions: [{ type: 'DisruptionReason', status: 'True', reason: 'Drifted', message: '' }],
});
const seen: EvictionSnapshot = { pod, node, claim: drifted, deadline: undefined, isGranted: false };
const failed = new ApiError({ kind: 'Status', code: 503, reason: 'ServiceUnavailable', message: 'the server is down' });

const cases: readonly {
  readonly fact: string;
  readonly outcome: EvictionOutcome;
  readonly of?: EvictionSnapshot;
  readonly told: readonly string[];
}[] = [
  { fact: 'a pod that only waits', outcome: { kind: 'nothingDone', isToBeAskedAgain: true }, told: [] },
  {
    fact: 'an eviction, with the reason of the disruption',
    outcome: { kind: 'evicted' },
    told: ['evictionRequested 200', 'podDrained "Drifted"', 'Normal Evicted Pod/web: Evicted pod: Drifted (web)'],
  },
  {
    fact: 'an eviction from a node that a person deleted',
    outcome: { kind: 'evicted' },
    of: { ...seen, claim: aClaim('one') },
    told: [
      'evictionRequested 200',
      'podDrained "Forceful Termination"',
      'Normal Evicted Pod/web: Evicted pod: Forceful Termination (web)',
    ],
  },
  { fact: 'a pod that was gone', outcome: { kind: 'gone', code: 404 }, told: ['evictionRequested 404'] },
  {
    fact: 'an answer of another kind',
    outcome: { kind: 'failed', code: 503, error: failed },
    told: ['evictionRequested 503'],
  },
  {
    fact: 'a refusal, on the node',
    outcome: { kind: 'refused', code: 429, blocker: undefined },
    told: [
      'evictionRequested 429',
      'Warning FailedDraining Node/n: Failed to drain node, evicting pod default/web violates a PDB (n, default/web, )',
    ],
  },
  {
    fact: 'a refusal where the node is gone',
    outcome: { kind: 'refused', code: 429, blocker: undefined },
    of: { ...seen, node: undefined },
    told: ['evictionRequested 429'],
  },
  {
    fact: 'a deletion by force',
    outcome: { kind: 'forced', graceSeconds: 7 },
    of: { ...seen, deadline: fromTimestamp('2024-01-28T16:00:00Z') },
    told: [
      'Normal Disrupted Pod/web: Deleting the pod to accommodate the terminationTime 2024-01-28T16:00:00Z of the node. The pod was granted 7 seconds of grace-period of its 30 terminationGracePeriodSeconds. This bypasses the PDB of the pod and the do-not-disrupt annotation. (web)',
      'podDrained "Drifted"',
    ],
  },
];

for (const { fact, outcome, of = seen, told } of cases) {
  test(`the eviction queue reports ${fact}`, () => expect(printEntries(reportEviction(of, outcome))).toEqual(told));
}

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
  const { message, dedupe } = evictionRefused(node, pod, undefined);
  expect(message).toBe('Failed to drain node, evicting pod default/web violates a PDB');
  expect(dedupe).toEqual(['n', 'default/web', '']);
});

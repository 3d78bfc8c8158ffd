import { fromTimestamp, hours, instant, minutes } from '@nodewright/apis';
import type {
  DisruptionCandidate,
  DisruptionCommand,
  DisruptionMethod,
  DisruptionSnapshot,
  MethodPlan,
  SearchOutcome,
} from '@nodewright/engine';
import { aNode, aNodePool } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import type { StoredCommand } from '../../state/disruption-command.ts';
import type { Pass } from './pass.ts';
import type { PlannedCommand } from './plan.ts';
import {
  reportBlocked,
  reportBudgetErrors,
  reportCommand,
  reportCommandStart,
  reportCommandSuccess,
  reportDisruption,
  reportPass,
  reportRollBack,
  reportWaiting,
  type ReportedPass,
} from './report.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const nothing: MethodPlan = { commands: [], eligible: [], blocked: [] };

const aMethod = (traits: Partial<DisruptionMethod> = {}): DisruptionMethod => ({
  name: 'Emptiness',
  reason: 'Empty',
  plan: () => nothing,
  ...traits,
});

const aPass = (
  evaluations: readonly (readonly [DisruptionMethod, Partial<MethodPlan>])[],
  more: Partial<Pass> = {},
): Pass => ({
  commands: [],
  evaluations: evaluations.map(([method, plan]) => ({ method, plan: { ...nothing, ...plan } })),
  ...more,
});

const told = (pass: Pass, more: Partial<ReportedPass> = {}): readonly string[] =>
  printEntries(reportPass({ pass, problem: undefined, durations: [], search: undefined, now, ...more }));

const aProblem = (nodes: string): DisruptionSnapshot => ({
  supplies: [
    {
      nodePool: aNodePool('default', { disruption: { consolidateAfter: '0s', budgets: [{ nodes }] } }),
      instanceTypes: [],
    },
  ],
  nodes: [aNode('a'), aNode('b')],
  queued: new Set(),
  pendingPods: [],
  daemonPods: [],
  namespaces: [],
  podDisruptionBudgets: [],
  options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
});

const aSearch = (isCutShort: boolean): SearchOutcome => ({
  outweighed: [],
  refused: [],
  looked: [],
  isHeldByBudgets: false,
  isCutShort,
});

describe('a pass reports', () => {
  test('how long each method took', () => {
    const durations = [{ method: aMethod(), tookMs: 12 }];
    expect(told(aPass([]), { durations })).toEqual(['methodEvaluated {"name":"Emptiness","reason":"Empty"}, 12']);
  });

  test('how many nodes there are for each reason, whatever method is there for them', () => {
    const [a, b] = [aNode('a'), aNode('b')];
    const consolidation = { reason: 'Underutilized' as const };
    const pass = aPass([
      [aMethod({ ...consolidation, name: 'multi' }), { eligible: [a] }],
      [aMethod({ ...consolidation, name: 'single' }), { eligible: [a, b] }],
      [aMethod(), {}],
    ]);
    expect(told(pass)).toEqual(['nodesEligible "Underutilized", 2', 'nodesEligible "Empty", 0']);
  });

  for (const { fact, nodes, eligible, events } of [
    { fact: 'a budget that lets none of the nodes go', nodes: '0', eligible: true, events: 1 },
    { fact: 'no budget that lets one go', nodes: '1', eligible: true, events: 0 },
    { fact: 'no budget while there is nothing to do', nodes: '0', eligible: false, events: 0 },
  ]) {
    test(fact, () => {
      const pass = aPass([[aMethod(), { eligible: eligible ? [aNode('a')] : [] }]]);
      expect(told(pass, { problem: aProblem(nodes) }).slice(1)).toEqual(
        Array.from(
          { length: events },
          () =>
            'Normal DisruptionBlocked NodePool/default: No allowed disruptions for disruption reason Empty due to blocking budget (uid-default, Empty) every 60 s',
        ),
      );
    });
  }

  test('why a node is not consolidated, on the node and its claim', () => {
    const remark = { node: aNode('a'), message: 'it is the cheapest' };
    expect(told(aPass([[aMethod(), { unconsolidatable: [remark] }]])).slice(1)).toEqual([
      'Normal Unconsolidatable Node/a: it is the cheapest (uid-a) every 900 s',
      'Normal Unconsolidatable NodeClaim/a-claim: it is the cheapest (uid-a-claim) every 900 s',
    ]);
  });

  for (const { fact, type, isCutShort, since, counted } of [
    {
      fact: 'a search for several nodes that reached its limit',
      type: 'multi',
      isCutShort: true,
      since: now,
      counted: true,
    },
    { fact: 'no search for several nodes that ended', type: 'multi', isCutShort: false, since: now, counted: false },
    {
      fact: 'no search for one node that has only begun',
      type: 'single',
      isCutShort: true,
      since: now,
      counted: false,
    },
    {
      fact: 'a search for one node that lasts for more than three minutes',
      type: 'single',
      isCutShort: true,
      since: instant(now - minutes(3) - 1),
      counted: true,
    },
    {
      fact: 'no search for one node that ended late',
      type: 'single',
      isCutShort: false,
      since: instant(now - hours(1)),
      counted: false,
    },
  ] as const) {
    test(`as timed out ${fact}`, () => {
      const method = aMethod({ reason: 'Underutilized', consolidationType: type });
      const search = { looked: new Set<string>(), since, change: 1 };
      const lines = told(aPass([[method, { search: aSearch(isCutShort) }]]), { search });
      expect(lines.includes(`consolidationTimedOut "${type}"`)).toBe(counted);
    });
  }

  test('nodes that a command left alone after all', () => {
    const method = aMethod();
    const command: DisruptionCommand = { reason: 'Empty', candidates: [], replacements: [], destinations: [] };
    const dropped = [{ claim: 'a-claim', because: 'churn' as const }];
    const validation = { dropped, of: { method, command, checkAt: now } };
    expect(told(aPass([], { validation }))).toEqual([
      'validationFailed {"name":"Emptiness","reason":"Empty"}, "churn"',
      'debug leaving node alone after all {"method":"Emptiness","NodeClaim":{"name":"a-claim"},"because":"churn"}',
    ]);
  });

  test('the first objection to a move that saves money, on its nodes', () => {
    const method = aMethod({ name: 'SingleNodeConsolidation', reason: 'Underutilized' });
    const candidate: DisruptionCandidate = {
      state: aNode('a'),
      nodePool: aNodePool(),
      reschedulable: [],
      priceMicroUsdPerHour: 1,
      rescheduleCost: 1,
    };
    const command: DisruptionCommand = {
      reason: 'Underutilized',
      candidates: [candidate],
      replacements: [],
      destinations: [],
    };
    const dropped = [{ claim: 'a-claim', because: 'budget' as const, detail: 'none may go' }];
    const lines = told(aPass([], { validation: { dropped, of: { method, command, checkAt: now } } }));
    expect(lines.slice(2)).toEqual([
      'Normal ConsolidationRejected Node/a: Consolidation rejected: delete node a/c4/on-demand, reason: budget (savings: $0.00): none may go (uid-a, delete node a/c4/on-demand, budget)',
      'Normal ConsolidationRejected NodeClaim/a-claim: Consolidation rejected: delete node a/c4/on-demand, reason: budget (savings: $0.00): none may go (uid-a-claim, delete node a/c4/on-demand, budget)',
    ]);
  });
});

test('budgets that cannot be read are one line of the log', () => {
  const pools = [
    aNodePool('good', { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1' }] } }),
    aNodePool('bad', {
      disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1', schedule: 'now and then', duration: '1h' }] },
    }),
  ];
  const lines = printEntries(reportBudgetErrors(pools));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^error detected disruption budget errors \{"errors":\["bad: /);
  expect(reportBudgetErrors(pools.slice(0, 1))).toEqual([]);
});

const planned: PlannedCommand = {
  reason: 'Drifted',
  decision: 'delete',
  candidates: [aNode('a'), aNode('b', { nodePool: 'other' })],
  replacements: [],
  destinations: [],
};
const claim = aClaim('one');
const stored: StoredCommand = {
  id: 'c-1',
  reason: 'Drifted',
  replacements: 2,
  startedAt: now,
  candidates: [claim],
  created: [claim],
};
const { uid } = claim.metadata;

for (const { fact, entries, expected } of [
  {
    fact: 'a blocked node, on the node and its claim',
    entries: reportBlocked(aNode('a'), { kind: 'nominated' }),
    expected: [
      expect.stringMatching(/^Normal DisruptionBlocked Node\/a: .* \(uid-a\)$/),
      expect.stringMatching(/^Normal DisruptionBlocked NodeClaim\/a-claim: .* \(uid-a-claim\)$/),
    ],
  },
  {
    fact: 'a command before it begins, with its nodes',
    entries: reportCommand('c-1', planned),
    expected: [
      expect.stringMatching(
        /^info disrupting node\(s\) \{"command":"drifted\/c-1: delete: nodepools=\[default, other\], nodes=\[a\/c4\/on-demand, b\/c4\/on-demand\]"/,
      ),
    ],
  },
  {
    fact: 'a command that has begun, once for each of its pools',
    entries: reportCommandStart(planned),
    expected: [expect.stringMatching(/^disruptionDecided .*, \["default","other"\]$/)],
  },
  {
    fact: 'a candidate that goes, with the pods that have to move',
    entries: reportDisruption(
      { claim, node: { metadata: { name: 'a', uid: 'uid-a' } } },
      { reason: 'Drifted', policy: undefined, pods: 3 },
    ),
    expected: [
      'Normal DisruptionTerminating Node/a: Disrupting Node: Drifted (uid-a, Drifted)',
      `Normal DisruptionTerminating NodeClaim/one: Disrupting NodeClaim: Drifted (${uid}, Drifted)`,
      'claimDisrupted one, "drifted", {"pods":3}',
    ],
  },
  {
    fact: 'a command that is done',
    entries: reportCommandSuccess(stored),
    expected: ['debug command succeeded {"command-id":"c-1"}'],
  },
  {
    fact: 'replacements that are waited for',
    entries: reportWaiting(stored),
    expected: [
      `Normal DisruptionLaunching NodeClaim/one: Launching NodeClaim: Drifted (${uid}, Drifted)`,
      `Normal DisruptionWaitingReadiness NodeClaim/one: Waiting on readiness to continue disruption (${uid})`,
    ],
  },
  {
    fact: 'a command that is taken back, with the replacements that failed',
    entries: reportRollBack(stored, 1, 'too late'),
    expected: [
      expect.stringMatching(/^replacementsFailed .*"id":"c-1".*, 1$/),
      'error failed to disrupt nodes {"command-id":"c-1","error":"too late"}',
    ],
  },
]) {
  test(`disruption reports ${fact}`, () => expect(printEntries(entries)).toEqual(expected));
}

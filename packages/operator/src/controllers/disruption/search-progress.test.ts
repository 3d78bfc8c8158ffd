import { fromTimestamp, instant, minutes } from '@nodewright/apis';
import type { DisruptionCommand, DisruptionMethod, MethodPlan } from '@nodewright/engine';
import { expect, test } from 'vitest';
import type { Pass } from './pass.ts';
import { continueSearch, type ConsolidationSearch } from './search-progress.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const late = instant(now + minutes(3) + 1);
const command: DisruptionCommand = { reason: 'Underutilized', candidates: [], replacements: [], destinations: [] };

const plan = (
  looked: readonly string[],
  isCutShort: boolean,
  commands: readonly DisruptionCommand[] = [],
): MethodPlan => ({
  commands,
  eligible: [],
  blocked: [],
  search: { outweighed: [], refused: [], looked, isHeldByBudgets: false, isCutShort },
});

const method: DisruptionMethod = {
  name: 'SingleNodeConsolidation',
  reason: 'Underutilized',
  consolidationType: 'single',
  plan: () => plan([], false),
};

const passOf = (...plans: readonly MethodPlan[]): Pass => ({
  commands: [],
  evaluations: plans.map((each) => ({ method, plan: each })),
});

const begun: ConsolidationSearch = { looked: new Set(['a']), since: now, change: 4 };

for (const { fact, search, pass, at = now, next } of [
  {
    fact: 'begins where a pass is cut short',
    search: undefined,
    pass: passOf(plan(['a'], true)),
    next: { looked: ['a'], since: now, change: 7 },
  },
  {
    fact: 'goes on with the others, and keeps when it began',
    search: begun,
    pass: passOf(plan(['b'], true)),
    next: { looked: ['a', 'b'], since: now, change: 4 },
  },
  { fact: 'ends when all nodes were looked at', search: begun, pass: passOf(plan(['b'], false)), next: undefined },
  {
    fact: 'ends when it has found something',
    search: begun,
    pass: passOf(plan(['b'], true, [command])),
    next: undefined,
  },
  {
    fact: 'stays as it is while it is not asked',
    search: begun,
    pass: passOf(),
    next: { looked: ['a'], since: now, change: 4 },
  },
  {
    fact: 'counts from anew once it has lasted too long',
    search: begun,
    pass: passOf(plan(['b'], true)),
    at: late,
    next: { looked: ['a', 'b'], since: late, change: 4 },
  },
]) {
  test(`a search for a single node ${fact}`, () => {
    const continued = continueSearch(pass, { search, change: 7, now: at });
    expect(continued && { ...continued, looked: [...continued.looked] }).toEqual(next);
  });
}

import { instant } from '@nodewright/apis';
import { planSingly, planTogether, validateConsolidation, type DisruptionMethod } from '@nodewright/engine';
import type { Clock } from '@nodewright/runtime';
import type { Counters } from '../../reporting/counters.ts';
import type { NotableChanges } from '../../state/notable-changes.ts';

type ConsolidationDeps = {
  readonly clock: Clock;
  readonly counters: Counters;
  readonly changes: NotableChanges;
  /** The gate `SpotToSpotConsolidation`. */
  readonly spotToSpot: boolean;
};

/** So many nodes are tried one by one before the loop looks after its commands again; then it goes on with the next. */
const triesAtOnce = 500;

/** So long one pass may take, of whatever the clock shows. */
const passLimitMs = 5_000;

/** When a search counts as one that ran out of time. */
const togetherLimitMs = 60_000;
const singlyLimitMs = 3 * 60_000;

/** In a large cluster something changes all the time, and a search is work. */
const searchPauseMs = 10_000;

const reason = 'Underutilized';

/** Removes several nodes at once, or replaces them by one. */
export function multiNodeConsolidation({ clock, counters, spotToSpot }: ConsolidationDeps): DisruptionMethod {
  return {
    name: 'MultiNodeConsolidation',
    reason,
    consolidationType: 'multi',
    restMs: searchPauseMs,
    plan: (seen, now) => {
      const isTimeUp = (): boolean => clock.now() > now + togetherLimitMs;
      const plan = planTogether(seen, now, { spotToSpot, isTimeUp });
      if (plan.isUnfinished === true) counters.consolidationTimedOut('multi');
      return plan;
    },
    validate: (command, seen, now) => validateConsolidation(command, seen, now, { spotToSpot }),
  };
}

/** How far a search for a single node has come. */
type Progress = { readonly looked: ReadonlySet<string>; readonly since: number; readonly change: number };

/** Removes or replaces one node. A search that is too long for one pass is gone on with in the next. */
export function singleNodeConsolidation({ clock, counters, changes, spotToSpot }: ConsolidationDeps): DisruptionMethod {
  let progress: Progress | undefined;
  return {
    name: 'SingleNodeConsolidation',
    reason,
    consolidationType: 'single',
    restMs: searchPauseMs,
    plan: (seen, now) => {
      const begun = progress ?? { looked: new Set(), since: now, change: changes.latest() };
      let tries = 0;
      const isTimeUp = (): boolean => (tries += 1) > triesAtOnce || clock.now() > now + passLimitMs;
      const plan = planSingly(seen, now, { spotToSpot, isTimeUp, looked: begun.looked });
      progress =
        plan.isUnfinished === true && plan.commands.length === 0
          ? { ...begun, looked: new Set([...begun.looked, ...(plan.search?.looked ?? [])]) }
          : undefined;
      if (progress !== undefined && now > instant(begun.since + singlyLimitMs)) {
        counters.consolidationTimedOut('single');
        progress = { ...progress, since: now };
      }
      // What was looked at before a change may be otherwise by now.
      return progress === undefined && begun.change !== changes.latest() ? { ...plan, isUnfinished: true } : plan;
    },
    validate: (command, seen, now) => validateConsolidation(command, seen, now, { spotToSpot }),
  };
}

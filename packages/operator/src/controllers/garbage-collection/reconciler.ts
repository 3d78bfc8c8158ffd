import { earliest, instant, type Instant, minutes } from '@nodewright/apis';
import { recheckAt, type Clock, type Result } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { areNodesAtRest } from '../../state/rest.ts';
import { observeGarbage, type GarbageSources } from './observe.ts';
import { performGarbageAction } from './perform.ts';
import { planGarbage } from './plan.ts';
import { reportGarbage } from './report.ts';

/** When the next listing is due, as long as everything is at rest. */
export type NextListing = { at: Instant | undefined };

type GarbageCollectorDeps = GarbageSources & {
  readonly clock: Clock;
  readonly publish: Publisher;
  readonly nextListing: NextListing;
};

const garbageCollectionPeriodMs = minutes(2);
const restingPeriodMs = minutes(6);

/**
 * `nodeclaim.garbagecollection` and `instance.garbagecollection`: one listing serves both directions, and drift. While
 * nodes are at rest only every third turn lists: an instance that has ended leaves a node that is not ready.
 */
export function garbageCollector(deps: GarbageCollectorDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const now = deps.clock.now();
    const { nextListing } = deps;
    if (nextListing.at !== undefined && now < nextListing.at && areNodesAtRest(deps.objects, now))
      return recheckAt(earliest(instant(now + garbageCollectionPeriodMs), nextListing.at));
    const seen = await observeGarbage(deps, now, signal);
    const plan = planGarbage(seen);
    for (const action of plan.actions) {
      await performGarbageAction(deps, action, signal);
      deps.publish(reportGarbage(action));
    }
    nextListing.at = earliest(instant(now + restingPeriodMs), plan.recheckAt);
    return recheckAt(earliest(instant(deps.clock.now() + garbageCollectionPeriodMs), plan.recheckAt));
  };
}

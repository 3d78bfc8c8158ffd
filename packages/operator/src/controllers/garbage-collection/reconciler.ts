import { earliest, instant, minutes } from '@nodewright/apis';
import { recheckAt, type Clock, type Result } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { observeGarbage, type GarbageSources } from './observe.ts';
import { performGarbageAction } from './perform.ts';
import { planGarbage } from './plan.ts';
import { reportGarbage } from './report.ts';

type GarbageCollectorDeps = GarbageSources & { readonly clock: Clock; readonly publish: Publisher };

const garbageCollectionPeriodMs = minutes(2);

/** `nodeclaim.garbagecollection` and `instance.garbagecollection`: one listing serves both directions. */
export function garbageCollector(deps: GarbageCollectorDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const seen = await observeGarbage(deps, deps.clock.now(), signal);
    const plan = planGarbage(seen);
    for (const action of plan.actions) {
      await performGarbageAction(deps, action, signal);
      deps.publish(reportGarbage(action));
    }
    return recheckAt(earliest(instant(deps.clock.now() + garbageCollectionPeriodMs), plan.recheckAt));
  };
}

import { instant } from '@nodewright/apis';
import { recheckAt, type Clock, type Logger, type Result } from '@nodewright/runtime';
import type { Counters } from '../../reporting/counters.ts';
import { observeGarbage, type GarbageSources } from './observe.ts';
import { planGarbage, type GarbageAction } from './plan.ts';

export type GarbageDeps = GarbageSources & {
  readonly clock: Clock;
  readonly log: Logger;
  readonly counters: Counters;
};

const garbageCollectionPeriodMs = 2 * 60_000;

/** `nodeclaim.garbagecollection` and `instance.garbagecollection`: one listing serves both directions. */
export function garbageCollector(deps: GarbageDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const seen = await observeGarbage(deps, deps.clock.now(), signal);
    const plan = planGarbage(seen);
    for (const action of plan.actions) await perform(deps, action, signal);
    const next = instant(deps.clock.now() + garbageCollectionPeriodMs);
    return recheckAt(plan.recheckAt === undefined ? next : instant(Math.min(next, plan.recheckAt)));
  };
}

async function perform(deps: GarbageDeps, action: GarbageAction, signal: AbortSignal): Promise<void> {
  switch (action.kind) {
    case 'deleteClaim':
      await deps.objects.nodeClaims.delete(action.claim);
      deps.counters.claimDisrupted(action.claim, 'garbage_collected');
      return;
    case 'terminate':
      await deps.instances.terminate(action.instance.providerId, signal);
      if (action.node !== undefined) await deps.objects.nodes.delete(action.node);
      deps.log.info('garbage collected cloudprovider instance', { 'provider-id': action.instance.providerId });
  }
}

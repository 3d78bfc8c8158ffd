import type { InstancePort } from '@nodewright/ports';
import { requeueAfter, type Clock, type Logger, type Result } from '@nodewright/runtime';
import type { Counters } from '../../reporting/counters.ts';
import type { Objects } from '../../state/objects.ts';
import { planGarbage, type GarbageAction } from './plan.ts';

export type GarbageDeps = {
  readonly objects: Objects;
  readonly instances: InstancePort;
  readonly clock: Clock;
  readonly log: Logger;
  readonly counters: Counters;
};

const periodMs = 2 * 60_000;

/** `nodeclaim.garbagecollection` and `instance.garbagecollection`: one listing serves both directions. */
export function garbageCollector(deps: GarbageDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const { objects, instances, clock } = deps;
    // Claims before instances: what is launched in between is in the second list only, and too young to be touched.
    const claims = objects.nodeClaims.list();
    const seen = { claims, nodes: objects.nodes.list(), instances: await instances.list(signal) };
    for (const action of planGarbage(seen, clock.now())) await perform(deps, action, signal);
    return requeueAfter(periodMs);
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
      for (const node of action.nodes) await deps.objects.nodes.delete(node);
      deps.log.info('garbage collected cloudprovider instance', { 'provider-id': action.instance.providerId });
  }
}

import type { CapacityPort } from '@nodewright/ports';
import { reportInterruption } from './report.ts';
import { endClaim, type ClaimEndDeps } from './end-claim.ts';
import type { InterruptionAction } from './plan.ts';

export type InterruptionActionDeps = ClaimEndDeps & { readonly capacity: CapacityPort };

/** In this order: a process that dies in between finds the message again, and a step that is done twice does no harm. */
export async function performInterruption(
  deps: InterruptionActionDeps,
  actions: readonly InterruptionAction[],
): Promise<void> {
  for (const action of actions) await perform(deps, action);
}

async function perform(deps: InterruptionActionDeps, action: InterruptionAction): Promise<void> {
  switch (action.kind) {
    case 'report':
      deps.publish(reportInterruption(action.about, action.victim));
      return;
    case 'forgetSpot':
      deps.capacity.spotTakenBack(action);
      return;
    case 'forgetReservation':
      deps.capacity.reservationTakenBack(action.id);
      return;
    case 'delete':
      return endClaim(deps, action.victim, {
        reason: action.because,
        message: 'initiating delete from interruption message',
      });
  }
}

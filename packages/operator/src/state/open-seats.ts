import { karpenterLabels, type NodeClaim } from '@nodewright/apis';
import type { Objects } from './objects.ts';
import { findActingPolicy } from './rollout-governance.ts';
import { withRollout } from './rollout-seats.ts';

/** Seats of a wave that no node is left to take: ordinary launches may. */
export type FreeSeats = { readonly rollout: string; readonly seats: number };

/**
 * The free seats of each policy, as its last plan left them. It lives in memory: until the first plan after a restart no
 * ordinary launch takes a seat.
 */
export class OpenSeats {
  readonly #free = new Map<string, FreeSeats>();

  set(policy: string, free: FreeSeats | undefined): void {
    if (free === undefined || free.seats <= 0) this.#free.delete(policy);
    else this.#free.set(policy, free);
  }

  /** The rollout whose seat is taken by this. */
  take(policy: string): string | undefined {
    const free = this.#free.get(policy);
    if (free === undefined) return undefined;
    this.set(policy, { ...free, seats: free.seats - 1 });
    return free.rollout;
  }
}

/** The claim of an ordinary launch, with a seat where one is free for it. */
export function seatClaim(
  {
    objects,
    openSeats,
  }: { readonly objects: Pick<Objects, 'rolloutPolicies' | 'nodePools'>; readonly openSeats: OpenSeats },
  claim: NodeClaim,
): NodeClaim {
  const policy = findActingPolicy(objects, claim.metadata.labels?.[karpenterLabels.nodePool] ?? '');
  return policy === undefined ? claim : withRollout(claim, openSeats.take(policy.metadata.name));
}

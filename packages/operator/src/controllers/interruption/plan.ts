import { awsLabels, kubernetesLabels, type NodeClaim } from '@nodewright/apis';
import type { InterruptionKind } from '@nodewright/ports';
import type { Victim } from './victims.ts';

export type SeenInterruption = { readonly kind: InterruptionKind; readonly victims: readonly Victim[] };

export type InterruptionAction =
  | { readonly kind: 'report'; readonly about: InterruptionKind; readonly victim: Victim }
  | { readonly kind: 'forgetSpot'; readonly instanceType: string; readonly zone: string }
  | { readonly kind: 'forgetReservation'; readonly id: string }
  | { readonly kind: 'delete'; readonly because: InterruptionKind; readonly victim: Victim };

/** Kinds that end the claim; the others only cause an event. */
const endingKinds: ReadonlySet<InterruptionKind> = new Set<InterruptionKind>([
  'spot_interrupted',
  'instance_stopped',
  'instance_terminated',
  'scheduled_change',
  'capacity_reservation_interrupted',
]);

/**
 * What each message leads to. A claim is deleted once, however many messages are about it. For a claim that is
 * leaving already there is only an event, and its capacity is marked as unavailable all the same.
 */
export function planInterruptions(seen: readonly SeenInterruption[]): readonly (readonly InterruptionAction[])[] {
  const leaving = new Set<string>();
  return seen.map(({ kind, victims }) =>
    victims.flatMap((victim): readonly InterruptionAction[] => {
      const { name, deletionTimestamp } = victim.claim.metadata;
      const ends = endingKinds.has(kind) && deletionTimestamp === undefined && !leaving.has(name);
      if (ends) leaving.add(name);
      return [
        { kind: 'report', about: kind, victim },
        ...lostCapacity(kind, victim.claim),
        ...(ends ? [{ kind: 'delete', because: kind, victim } as const] : []),
      ];
    }),
  );
}

function lostCapacity(kind: InterruptionKind, { metadata: { labels = {} } }: NodeClaim): readonly InterruptionAction[] {
  const { [kubernetesLabels.instanceType]: instanceType, [kubernetesLabels.zone]: zone } = labels;
  const reservation = labels[awsLabels.capacityReservationId];
  if (kind === 'spot_interrupted' && instanceType !== undefined && zone !== undefined) {
    return [{ kind: 'forgetSpot', instanceType, zone }];
  }
  if (kind !== 'capacity_reservation_interrupted' || reservation === undefined) return [];
  return [{ kind: 'forgetReservation', id: reservation }];
}

import { awsLabels, byText, minutes, type NodeClaim } from '@nodewright/apis';
import type { ReservationPort } from '@nodewright/ports';
import { requeueAfter, restAndPoll, type Result } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';
import { reportEndOfBlock } from './report.ts';

type BlockExpirationDeps = {
  readonly objects: Objects;
  readonly capacityReservations: ReservationPort;
  readonly publish: Publisher;
};

const blockCheckPeriodMs = minutes(1);

/**
 * `capacityreservation.expiration`: EC2 ends the instances of a capacity block half an hour before
 * its end, so their nodes are drained ten minutes earlier. Other reservations end without that.
 */
export function blockExpirationLoop(deps: BlockExpirationDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const claims = deps.objects.nodeClaims.list().filter(isInReservation);
    if (claims.length === 0) return restAndPoll(blockCheckPeriodMs);
    const ids = [...new Set(claims.map(reservationIdOfClaim))].toSorted(byText);
    const found = await deps.capacityReservations.named(ids, signal);
    const expiring = new Set(found.flatMap(({ id, state }) => (state === 'expiring' ? id : [])));
    for (const claim of claims) {
      if (expiring.has(reservationIdOfClaim(claim))) await endClaimOfBlock(deps, claim);
    }
    return requeueAfter(blockCheckPeriodMs);
  };
}

async function endClaimOfBlock({ objects, publish }: BlockExpirationDeps, claim: NodeClaim): Promise<void> {
  await objects.nodeClaims.delete(claim);
  publish(reportEndOfBlock(claim, reservationIdOfClaim(claim)));
}

const isInReservation = ({ metadata, spec }: NodeClaim): boolean =>
  metadata.deletionTimestamp === undefined &&
  isManagedNodeClass(spec.nodeClassRef) &&
  metadata.labels?.[awsLabels.capacityReservationId] !== undefined;

const reservationIdOfClaim = ({ metadata }: NodeClaim): string =>
  metadata.labels?.[awsLabels.capacityReservationId] ?? '';

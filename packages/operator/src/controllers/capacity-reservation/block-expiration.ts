import { awsLabels, type NodeClaim } from '@nodewright/apis';
import type { ReservationPort } from '@nodewright/ports';
import { requeueAfter, type Logger, type Result } from '@nodewright/runtime';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';

type BlockExpirationDeps = {
  readonly objects: Objects;
  readonly capacityReservations: ReservationPort;
  readonly log: Logger;
};

const blockCheckPeriodMs = 60_000;

/**
 * `capacityreservation.expiration`: EC2 ends the instances of a capacity block half an hour before
 * its end, so their nodes are drained ten minutes earlier. Other reservations end without that.
 */
export function blockExpirationLoop(deps: BlockExpirationDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const claims = deps.objects.nodeClaims.list().filter(isInReservation);
    const ids = [...new Set(claims.map(reservationIdOfClaim))].toSorted();
    const found = ids.length === 0 ? [] : await deps.capacityReservations.named(ids, signal);
    const expiring = new Set(found.flatMap(({ id, state }) => (state === 'expiring' ? id : [])));
    for (const claim of claims) {
      if (expiring.has(reservationIdOfClaim(claim))) await endClaimOfBlock(deps, claim);
    }
    return requeueAfter(blockCheckPeriodMs);
  };
}

async function endClaimOfBlock({ objects, log }: BlockExpirationDeps, claim: NodeClaim): Promise<void> {
  await objects.nodeClaims.delete(claim);
  const { name } = claim.metadata;
  log.info('deleting nodeclaim, its capacity block ends', {
    NodeClaim: { name },
    reservation: reservationIdOfClaim(claim),
  });
}

const isInReservation = ({ metadata, spec }: NodeClaim): boolean =>
  metadata.deletionTimestamp === undefined &&
  isManagedNodeClass(spec.nodeClassRef) &&
  metadata.labels?.[awsLabels.capacityReservationId] !== undefined;

const reservationIdOfClaim = ({ metadata }: NodeClaim): string =>
  metadata.labels?.[awsLabels.capacityReservationId] ?? '';

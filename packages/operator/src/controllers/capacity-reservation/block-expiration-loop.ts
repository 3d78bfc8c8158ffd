import { minutes } from '@nodewright/apis';
import type { ReservationPort } from '@nodewright/ports';
import { requeueAfter, restAndPoll, type Result } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { Objects } from '../../state/objects.ts';
import { isInReservation, listReservationIds, planBlockEnds, reservationIdOfClaim } from './plan.ts';
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
    const { objects, capacityReservations, publish } = deps;
    const claims = objects.nodeClaims.list().filter(isInReservation);
    if (claims.length === 0) return restAndPoll(blockCheckPeriodMs);
    const found = await capacityReservations.named(listReservationIds(claims), signal);
    for (const claim of planBlockEnds(claims, found)) {
      await objects.nodeClaims.delete(claim);
      publish(reportEndOfBlock(claim, reservationIdOfClaim(claim)));
    }
    return requeueAfter(blockCheckPeriodMs);
  };
}

import { hours, type Instant, minutes, seconds } from '@nodewright/apis';
import type { KeptNatGateway } from './routing.ts';

type NatGatewayStage = 'pending' | 'failed' | 'available' | 'deleting' | 'deleted';

/** How long EC2 takes to make and to delete a NAT gateway. */
const creationMs = seconds(90);
const deletionMs = seconds(60);
/** How long a NAT gateway that failed or was deleted is still listed. */
const listedMs = hours(1);

/** What a NAT gateway is at an instant. It follows from its times, so that nothing has to change it. */
export function stateOfNatGateway({ createdAt, deletedAt, failure }: KeptNatGateway, now: Instant): NatGatewayStage {
  if (deletedAt !== undefined) return now < deletedAt + deletionMs ? 'deleting' : 'deleted';
  if (now < createdAt + creationMs) return 'pending';
  return failure === undefined ? 'available' : 'failed';
}

/** Whether EC2 still lists a NAT gateway. */
export const isListed = ({ createdAt, deletedAt, failure }: KeptNatGateway, now: Instant): boolean => {
  const ended = deletedAt ?? (failure === undefined ? undefined : createdAt);
  return ended === undefined || now < ended + minutes(2) + listedMs;
};

/** Whether a NAT gateway holds its subnet and its addresses. */
export const isHolding = (gateway: KeptNatGateway, now: Instant): boolean =>
  !['failed', 'deleted'].includes(stateOfNatGateway(gateway, now));

import type { CapacityReservation } from '@aws-sdk/client-ec2';
import { instant, type Instant, minutes } from '@nodewright/apis';
import type { FoundReservation } from '@nodewright/ports';

/** EC2 begins to reclaim a capacity block half an hour before its end, and tells ten minutes earlier. */
const blockExpiresBeforeEndMs = minutes(40);

/** What EC2 describes, in the words of the port; `undefined` for one that has ended or is of an unknown kind. */
export function reservationFrom(described: CapacityReservation, now: Instant): FoundReservation | undefined {
  const { CapacityReservationId: id, InstanceType: instanceType, AvailabilityZone: zone, EndDate } = described;
  const { ReservationType: type = 'default', InstanceMatchCriteria: matchCriteria = 'open' } = described;
  if (id === undefined || instanceType === undefined || zone === undefined) return undefined;
  if (!isKnownValue(type, ['default', 'capacity-block']) || !isKnownValue(matchCriteria, ['open', 'targeted']))
    return undefined;
  const endsAt = EndDate === undefined ? undefined : instant(EndDate.getTime());
  if (endsAt !== undefined && endsAt <= now) return undefined;
  return {
    id,
    instanceType,
    zone,
    type,
    matchCriteria,
    ownerId: described.OwnerId ?? '',
    interruptible: described.Interruptible ?? false,
    state: isExpiring(type, endsAt, now) ? 'expiring' : 'active',
    ...(endsAt === undefined ? {} : { endsAt }),
  };
}

const isExpiring = (type: string, endsAt: Instant | undefined, now: Instant): boolean =>
  type === 'capacity-block' && endsAt !== undefined && now >= endsAt - blockExpiresBeforeEndMs;

const isKnownValue = <T extends string>(value: string, known: readonly T[]): value is T =>
  known.some((each) => each === value);

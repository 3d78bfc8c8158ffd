import { awsLabels } from '@nodewright/apis';
import { type LaunchOption, optionPrice } from './launch-option.ts';

/** The kinds of reservation that one launch can draw from, in the order in which ties are decided. */
const reservationKinds = ['default', 'capacity-block', 'interruptible'] as const;

export type ReservationKind = (typeof reservationKinds)[number];

/** Which kind of reservation an option is from; `undefined` when it is from none. */
export function reservationKindOf({ offering }: LaunchOption): ReservationKind | undefined {
  if (offering.reservation === undefined) return undefined;
  if (labelValueOf(offering, awsLabels.capacityReservationInterruptible) === 'true') return 'interruptible';
  return labelValueOf(offering, awsLabels.capacityReservationType) === 'capacity-block' ? 'capacity-block' : 'default';
}

const labelValueOf = ({ requirements }: LaunchOption['offering'], key: string): string | undefined =>
  [...(requirements.get(key)?.values ?? [])][0];

/**
 * What is left when reserved capacity comes first: options of the kind that has the cheapest, of each type and
 * zone the reservation with most room, and of capacity blocks a single one. Without reserved options all stay.
 */
export function keepReservedFirst(options: readonly LaunchOption[]): readonly LaunchOption[] {
  const reserved = options.filter((option) => reservationKindOf(option) !== undefined);
  const cheapest = Math.min(...reserved.map(optionPrice));
  const kind = reservationKinds.find((each) =>
    reserved.some((option) => reservationKindOf(option) === each && optionPrice(option) === cheapest),
  );
  if (kind === undefined) return options;
  const ofKind = roomiest(reserved.filter((option) => reservationKindOf(option) === kind));
  return kind === 'capacity-block' ? ofKind.filter((option) => optionPrice(option) === cheapest).slice(0, 1) : ofKind;
}

function roomiest(options: readonly LaunchOption[]): readonly LaunchOption[] {
  const best = new Map<string, LaunchOption>();
  for (const option of options) {
    const place = `${option.type.name} ${option.offering.zone}`;
    const other = best.get(place);
    if (other === undefined || isRoomier(option, other)) best.set(place, option);
  }
  return [...best.values()];
}

/** Ties go to the lesser id. */
function isRoomier(a: LaunchOption, b: LaunchOption): boolean {
  const [one, other] = [a.offering.reservation, b.offering.reservation];
  const more = (one?.remaining ?? 0) - (other?.remaining ?? 0);
  return more > 0 || (more === 0 && (one?.id ?? '') < (other?.id ?? ''));
}

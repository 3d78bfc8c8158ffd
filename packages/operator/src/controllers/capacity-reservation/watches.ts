import type { Loop } from '@nodewright/runtime';
import { startNamedLoop, type ControllerHost } from '../../hosting/controller-host.ts';
import type { Objects } from '../../state/objects.ts';
import { blockExpirationLoop } from './block-expiration.ts';
import { capacityTypeLoop } from './capacity-type.ts';

/** Nothing wakes these loops: they ask EC2 every minute while claims are in capacity reservations. */
export const startReservationLoops = (
  host: ControllerHost,
  { objects }: { readonly objects: Objects },
): readonly Loop[] => [
  startNamedLoop(host, 'capacityreservation.capacitytype', (turn) => capacityTypeLoop({ ...turn, objects })),
  startNamedLoop(host, 'capacityreservation.expiration', (turn) => blockExpirationLoop({ ...turn, objects })),
];

import type { Loop } from '@nodewright/runtime';
import { startNamedLoop, type ControllerHost } from '../../hosting/controller-host.ts';
import type { Objects } from '../../state/objects.ts';
import { blockExpirationLoop } from './block-expiration-loop.ts';
import { capacityTypeLoop } from './capacity-type-loop.ts';

/**
 * These loops ask EC2 every minute while claims are in capacity reservations. While none is, they sleep until a claim or
 * a node changes.
 */
export function startReservationLoops(
  host: ControllerHost,
  { objects }: { readonly objects: Objects },
): readonly Loop[] {
  const loops = [
    startNamedLoop(host, 'capacityreservation.capacitytype', (turn) => capacityTypeLoop({ ...turn, objects })),
    startNamedLoop(host, 'capacityreservation.expiration', (turn) => blockExpirationLoop({ ...turn, objects })),
  ];
  for (const { cache } of [objects.nodeClaims, objects.nodes])
    cache.onChange(() => {
      for (const loop of loops) loop.stir();
    });
  return loops;
}

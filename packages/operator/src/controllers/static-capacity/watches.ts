import type { Controller } from '@nodewright/runtime';
import { startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { ownName, poolKeysOf, wakeOnChange } from '../../hosting/wake.ts';
import { isNewsOfClaim } from '../../state/claim-news.ts';
import type { OpenSeats } from '../../state/open-seats.ts';
import type { StaticPoolSources } from './observe.ts';
import { staticCapacity } from './reconciler.ts';
import { StaticCreations } from './static-creations.ts';

/** `static.provisioning` wakes for a NodePool that changes, and for the pool of a claim whose progress matters to it. */
export function startStaticCapacity(
  host: ControllerHost,
  sources: Omit<StaticPoolSources, 'creations'> & { readonly openSeats: OpenSeats },
): Controller {
  const { objects } = sources;
  const creations = new StaticCreations();
  const capacity = startNamed(
    host,
    'static.provisioning',
    (turn) => staticCapacity({ ...turn, ...sources, creations }),
    {
      workers: 10,
    },
  );
  wakeOnChange(objects.nodePools, [[capacity, ownName]]);
  wakeOnChange(objects.nodeClaims, [[capacity, poolKeysOf]], isNewsOfClaim);
  return capacity;
}

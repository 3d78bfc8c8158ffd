import type { Controller } from '@nodewright/runtime';
import { drainBackoff, startNamed, type ControllerHost } from '../../hosting/controller-host.ts';
import { workersFor, type OperatorSettings } from '../../settings.ts';
import type { Objects } from '../../state/objects.ts';
import type { EvictionClient } from './perform.ts';
import { GrantedEvictions } from './granted-evictions.ts';
import { evictionReconciler } from './reconciler.ts';

type EvictionWatchSources = {
  readonly objects: Objects;
  readonly client: EvictionClient;
  readonly settings: OperatorSettings;
};

const evictionRate = { perSecond: 100, burst: 1_000 };

/** Nothing in the cluster wakes `eviction-queue`: the termination controller puts pods into it. */
export function startEvictionController(
  host: ControllerHost,
  { objects, client, settings }: EvictionWatchSources,
): Controller {
  const granted = new GrantedEvictions(host.clock);
  return startNamed(host, 'eviction-queue', (turn) => evictionReconciler({ ...turn, objects, client, granted }), {
    workers: workersFor(settings, [100, 5_000]),
    backoff: drainBackoff,
    bucket: evictionRate,
  });
}

import type { KubernetesClient, Loop } from '@nodewright/runtime';
import { startNamedLoop, type ControllerHost } from '../../hosting/controller-host.ts';
import { Absences } from '../../state/absences.ts';
import type { Objects } from '../../state/objects.ts';
import { garbageCollector } from './reconciler.ts';

type GarbageWatchSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly absences: Absences;
};

/** Nothing wakes `nodeclaim.garbagecollection`: it compares claims and instances every two minutes. */
export function startGarbageCollection(host: ControllerHost, sources: GarbageWatchSources): Loop {
  const absentClaims = new Absences();
  return startNamedLoop(host, 'nodeclaim.garbagecollection', (turn) =>
    garbageCollector({ ...turn, ...sources, absentClaims }),
  );
}

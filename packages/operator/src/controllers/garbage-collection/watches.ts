import type { KubernetesClient, Loop } from '@nodewright/runtime';
import { startNamedLoop, type ControllerHost } from '../../hosting/controller-host.ts';
import { Absences } from '../../state/absences.ts';
import type { Objects } from '../../state/objects.ts';
import type { InstanceNews } from '../../state/instance-news.ts';
import { garbageCollector, type NextListing } from './reconciler.ts';

type GarbageWatchSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly absences: Absences;
  readonly instanceNews: InstanceNews;
};

/** Nothing wakes `nodeclaim.garbagecollection`: it compares claims and instances every two minutes, and every six at rest. */
export function startGarbageCollection(host: ControllerHost, sources: GarbageWatchSources): Loop {
  const absentClaims = new Absences();
  const nextListing: NextListing = { at: undefined };
  return startNamedLoop(host, 'nodeclaim.garbagecollection', (turn) =>
    garbageCollector({ ...turn, ...sources, absentClaims, nextListing }),
  );
}

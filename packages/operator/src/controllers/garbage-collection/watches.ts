import type { KubernetesClient, Loop } from '@nodewright/runtime';
import { startNamedLoop, type ControllerHost } from '../../hosting/controller-host.ts';
import { Absences } from '../../state/absences.ts';
import type { Objects } from '../../state/objects.ts';
import type { InstanceNews } from '../../state/instance-news.ts';
import { garbageCollector, type NextListing } from './loop.ts';

type GarbageWatchSources = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly absences: Absences;
  readonly instanceNews: InstanceNews;
};

/**
 * `nodeclaim.garbagecollection` compares claims and instances every two minutes, and every six at rest. Where the cloud tells
 * when it changes, it sleeps until that, a claim or a node does.
 */
export function startGarbageCollection(host: ControllerHost, sources: GarbageWatchSources): Loop {
  const absentClaims = new Absences();
  const nextListing: NextListing = { at: undefined };
  const { nodeClaims, nodes } = sources.objects;
  const collection = startNamedLoop(host, 'nodeclaim.garbagecollection', (turn) =>
    garbageCollector({ ...turn, ...sources, absentClaims, nextListing }),
  );
  for (const { cache } of [nodeClaims, nodes]) cache.onChange(() => collection.stir());
  host.cloud.changes?.onChange(() => collection.stir());
  return collection;
}

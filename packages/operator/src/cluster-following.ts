import type { Instant, KubernetesObject } from '@nodewright/apis';
import type { Clock, Logger, Random } from '@nodewright/runtime';
import { assembleReading, type ClusterReading, kindsOfGates, type ReadingSources } from './cluster-reading.ts';
import type { CachedCollection } from './objects/collection.ts';
import { ClusterState } from './state/cluster-state.ts';
import { createObjects } from './state/objects.ts';
import { UnreadKinds } from './state/unread-kinds.ts';
import { watchObjects } from './state/watches.ts';

/** A cluster that is watched, to be read again and again. */
export type ClusterFollower = {
  /** Resolves when every kind has been listed once, as far as it is there and the caller may read it. */
  readonly ready: Promise<void>;
  /** Kinds that the caller may not read: they count as empty, and what rests on them is not true. */
  unread(): ReadonlySet<string>;
  /** Called after every change of an object. */
  onChange(handler: () => void): void;
  /** What `readClusterState` would read, without asking the API server. */
  read(now: Instant, signal: AbortSignal): Promise<ClusterReading>;
  stop(): Promise<void>;
};

export type FollowingSources = Omit<ReadingSources, 'now'> & {
  readonly clock: Clock;
  readonly random: Random;
  /** Gets a warning for each watch that fails. */
  readonly log: Logger;
};

/** Watches everything that the controllers watch. Writes nothing. */
export function followClusterState({ clock, random, log, ...sources }: FollowingSources): ClusterFollower {
  const objects = createObjects(sources.client);
  const known = { objects, state: new ClusterState(objects) };
  const also = kindsOfGates(sources);
  const { client } = sources;
  const unread = new UnreadKinds(client);
  const watches = watchObjects(objects, {
    client,
    clock,
    random,
    log,
    also,
    toleratesAbsence: true,
    onForbidden: (type) => unread.noteRefusal(type),
    onAnswer: (type) => unread.noteAnswer(type),
  });
  // Each collection only ever gets objects of its own kind.
  const collections = Object.values(objects) as unknown as readonly CachedCollection<KubernetesObject>[];
  return {
    ready: watches.synced().then(() => unread.settled()),
    unread: () => unread.names(),
    onChange(handler) {
      for (const { cache } of collections) cache.onChange(handler);
      unread.onChange(handler);
    },
    read: (now, signal) => assembleReading(known, sources, { now, signal }),
    stop: () => watches.stop(),
  };
}

import { karpenterLabels, type KubernetesObject } from '@nodewright/apis';
import type { Controller } from '@nodewright/runtime';
import type { CachedCollection } from '../objects/collection.ts';
import type { Objects } from '../state/objects.ts';

/** Which keys of a controller an object concerns. */
export type Wakes<T> = readonly (readonly [Pick<Controller, 'enqueue'>, (object: T) => readonly string[]])[];

/**
 * Puts the keys of everything that is there into the queues, then those of every change, before and after it.
 * @param isNews whether a change is worth it [always]
 */
export function wakeOnChange<T extends KubernetesObject>(
  collection: CachedCollection<T>,
  wakes: Wakes<T>,
  isNews: (before: T | undefined, after: T | undefined) => boolean = () => true,
): void {
  const tell = (object: T | undefined): void => {
    if (object === undefined) return;
    for (const [controller, keysOf] of wakes) for (const key of keysOf(object)) controller.enqueue(key);
  };
  for (const object of collection.list()) tell(object);
  collection.cache.onChange(({ before, after }) => {
    if (!isNews(before, after)) return;
    tell(before);
    tell(after);
  });
}

/** Which sleeping keys of a controller look at an object when they poll. */
export type Stirs<T> = readonly (readonly [Pick<Controller, 'stir'>, (object: T) => readonly string[]])[];

/** Lets the keys that an object concerns, before and after a change, come at their next poll instead of sleeping on. */
export function stirOnChange<T extends KubernetesObject>(collection: CachedCollection<T>, stirs: Stirs<T>): void {
  collection.cache.onChange(({ before, after }) => {
    for (const object of [before, after])
      if (object !== undefined)
        for (const [controller, keysOf] of stirs) for (const key of keysOf(object)) controller.stir(key);
  });
}

/** Something came, went or was given another spec; status is no news. */
export const isAnotherGeneration = (before: KubernetesObject | undefined, after: KubernetesObject | undefined) =>
  before?.metadata.uid !== after?.metadata.uid || before?.metadata.generation !== after?.metadata.generation;

export const ownName = ({ metadata }: KubernetesObject): readonly string[] => [metadata.name];

export const objectNames = (all: readonly KubernetesObject[]): readonly string[] =>
  all.map(({ metadata }) => metadata.name);

export function poolKeysOf({ metadata }: KubernetesObject): readonly string[] {
  const pool = metadata.labels?.[karpenterLabels.nodePool];
  return pool === undefined ? [] : [pool];
}

export const nodesWith = (objects: Objects, providerId = ''): readonly string[] =>
  providerId === '' ? [] : objectNames(objects.nodes.by('providerId', providerId));

export const claimsWith = (objects: Objects, providerId = ''): readonly string[] =>
  providerId === '' ? [] : objectNames(objects.nodeClaims.by('providerId', providerId));

export const claimsOfPools = (objects: Objects, pools: readonly string[]): readonly string[] =>
  pools.flatMap((pool) => objectNames(objects.nodeClaims.by('nodePool', pool)));

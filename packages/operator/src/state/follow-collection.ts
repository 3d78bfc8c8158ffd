import type { KubernetesObject } from '@nodewright/apis';
import type { CachedCollection } from '../objects/collection.ts';
import { isEqualDiffValue } from '../objects/merge-diff.ts';

/** Calls `note` when an object comes or goes, and when what is read of it is another value than before. */
export function noteChanges<T extends KubernetesObject>(
  collection: CachedCollection<T>,
  readOf: (object: T) => unknown,
  note: () => void,
): void {
  collection.cache.onChange(({ before, after }) => {
    if (before === undefined || after === undefined || !isEqualDiffValue(readOf(before), readOf(after))) note();
  });
}

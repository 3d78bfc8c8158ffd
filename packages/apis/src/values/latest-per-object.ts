import { shareObject } from './shared-objects.ts';

type Latest<Dependencies, Value> = { readonly dependencies: Dependencies; readonly value: Value };

/**
 * A value worked out from an object and from what else it depends on. The latest value of each object is kept, and
 * answers again as long as the dependencies are the same.
 *
 * Guarantees: while `isSame` holds, the same object has the same value. An object that nothing else holds is forgotten
 * with its value.
 *
 * Assumptions: those of `oncePerObject`. `compute` depends on the object and on that part of the
 * dependencies which `isSame` compares.
 *
 * Cost: callers that take turns with different dependencies for one object work the value out every time.
 *
 * @see docs/adr/0007-identity-is-the-version.md
 */
export function latestPerObject<Source extends object, Dependencies, Value>(
  compute: (source: Source, dependencies: Dependencies) => Value,
  isSame: (before: Dependencies, now: Dependencies) => boolean,
): (source: Source, dependencies: Dependencies) => Value {
  const latest = new WeakMap<Source, Latest<Dependencies, Value>>();
  return (source, dependencies) => {
    const before = latest.get(source);
    if (before !== undefined && isSame(before.dependencies, dependencies)) return before.value;
    const value = compute(shareObject(source), dependencies);
    latest.set(source, { dependencies, value });
    return value;
  };
}

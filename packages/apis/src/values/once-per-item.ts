import { oncePerObject } from './derived.ts';
import { latestPerObject } from './latest-per-object.ts';
import { shareObject } from './shared-objects.ts';

/**
 * A value for each item of a list, in the order of the list. Each value is worked out from its item alone.
 *
 * Guarantees and assumptions: those of `oncePerObject`.
 *
 * Cost: lists that follow each other mostly hold the same items in the same order. What the list before had as well is
 * taken over by comparing identities, without a look at the item or a search in a weak map.
 *
 * @see docs/adr/0007-identity-is-the-version.md
 */
export function oncePerItem<Item extends object, Value>(
  compute: (item: Item) => Value,
): (list: readonly Item[]) => readonly Value[] {
  const valuesOf = latestPerItem<Item, undefined, Value>(compute, () => true);
  return (list) => valuesOf(list, undefined);
}

type KnownValues<Dependencies, Value> = { readonly dependencies: Dependencies; readonly values: readonly Value[] };

/**
 * As `oncePerItem`, for values that depend on something else as well. Values are taken over while it is the same.
 *
 * Guarantees, assumptions and cost with other dependencies: those of `latestPerObject`.
 */
export function latestPerItem<Item extends object, Dependencies, Value>(
  compute: (item: Item, dependencies: Dependencies) => Value,
  isSame: (before: Dependencies, now: Dependencies) => boolean,
): (list: readonly Item[], dependencies: Dependencies) => readonly Value[] {
  const valueOf = latestPerObject(compute, isSame);
  const known = new WeakMap<readonly Item[], KnownValues<Dependencies, Value>>();
  let latest: WeakRef<readonly Item[]> | undefined;
  return (list, dependencies) => {
    const own = known.get(list);
    if (own !== undefined && isSame(own.dependencies, dependencies)) return own.values;
    const before = latest?.deref();
    const past = before && known.get(before);
    const compute = (item: Item): Value => valueOf(item, dependencies);
    const values =
      before !== undefined && past !== undefined && isSame(past.dependencies, dependencies)
        ? takeOver(list, { items: before, values: past.values }, compute)
        : list.map(compute);
    known.set(shareObject(list), { dependencies, values: shareObject(values) });
    latest = new WeakRef(list);
    return values;
  };
}

/**
 * The items of a list for which something holds, in the order of the list. Whether it holds follows from an item alone.
 *
 * Guarantees, assumptions and cost: those of `oncePerItem`. The same list has the same answer, as one object.
 */
export function filterPerItem<Item extends object>(
  holds: (item: Item) => boolean,
): (list: readonly Item[]) => readonly Item[] {
  const verdictsOf = oncePerItem(holds);
  return oncePerObject((list: readonly Item[]) => {
    const verdicts = verdictsOf(list);
    return list.filter((_, index) => verdicts[index]);
  });
}

/** How far behind the last item that was found the next one is looked for. */
const mostSkipped = 32;

/** Items that came since, or changed their place by far, are worked out. */
function takeOver<Item, Value>(
  list: readonly Item[],
  { items, values }: { readonly items: readonly Item[]; readonly values: readonly Value[] },
  compute: (item: Item) => Value,
): readonly Value[] {
  let next = 0;
  return list.map((item) => {
    const end = Math.min(items.length, next + mostSkipped);
    for (let at = next; at < end; at += 1) {
      if (items[at] !== item) continue;
      next = at + 1;
      return values[at] as Value;
    }
    return compute(item);
  });
}

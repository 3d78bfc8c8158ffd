/**
 * Order of text by UTF-16 code units, the same in every locale: negative when `a` comes first, zero
 * when they are equal. For `toSorted`.
 */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Order of numbers, smallest first. Infinities may be among them. */
export function byNumber(a: number, b: number): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

/** Orders items by a text that each one has: `nodes.toSorted(byTextOf((node) => node.name))`. */
export const byTextOf = <Item>(textOf: (item: Item) => string): ((a: Item, b: Item) => number) =>
  byValueOf(textOf, byText);

/** The same for a number that each one has. Of a boolean, `Number` makes one that has what is false first. */
export const byNumberOf = <Item>(numberOf: (item: Item) => number): ((a: Item, b: Item) => number) =>
  byValueOf(numberOf, byNumber);

/** Orders items as `compare` orders a value that each one has. */
export const byValueOf =
  <Item, Value>(valueOf: (item: Item) => Value, compare: (a: Value, b: Value) => number) =>
  (a: Item, b: Item): number =>
    compare(valueOf(a), valueOf(b));

/** The other way round: `inReverse(byNumberOf((rollout) => rollout.spec.number))` has the latest rollout first. */
export const inReverse =
  <Item>(compare: (a: Item, b: Item) => number) =>
  (a: Item, b: Item): number =>
    compare(b, a);

/** The first comparison that tells two items apart decides: `inOrder(byPrice, byName)`. */
export const inOrder =
  <Item>(...comparisons: readonly ((a: Item, b: Item) => number)[]) =>
  (a: Item, b: Item): number => {
    for (const compare of comparisons) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };

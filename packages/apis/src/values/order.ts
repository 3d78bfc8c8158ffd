/**
 * Order of text by UTF-16 code units, the same in every locale: negative when `a` comes first, zero
 * when they are equal. For `toSorted`.
 */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Orders items by a text that each one has: `nodes.toSorted(byTextOf((node) => node.name))`. */
export const byTextOf =
  <Item>(textOf: (item: Item) => string) =>
  (a: Item, b: Item): number =>
    byText(textOf(a), textOf(b));

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

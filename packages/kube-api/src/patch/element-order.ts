import { type Json, memberOf } from '../schema/json.ts';

export type OrderRequest = {
  readonly merged: readonly Json[];
  /** The items of the patch, in its order. */
  readonly patchOrder: readonly Json[];
  /** The list before the patch. */
  readonly original: readonly Json[];
  readonly mergeKey: string | undefined;
};

/**
 * Orders the items of the patch as the patch does and keeps the other items: an item that came before an item of the
 * patch still does.
 */
export function inPatchOrder({ merged, patchOrder, original, mergeKey }: OrderRequest): Json[] {
  const identity = (item: Json): Json | undefined => (mergeKey === undefined ? item : memberOf(item, mergeKey));
  const positions = (list: readonly Json[]): Map<Json | undefined, number> =>
    new Map(list.map((item, index) => [identity(item), index]));
  const inPatch = positions(patchOrder);
  const inOriginal = positions(original);
  const byPosition = (order: Map<Json | undefined, number>) => (a: Json, b: Json) =>
    (order.get(identity(a)) ?? 0) - (order.get(identity(b)) ?? 0);
  const named = merged.filter((item) => inPatch.has(identity(item))).toSorted(byPosition(inPatch));
  const others = merged.filter((item) => !inPatch.has(identity(item))).toSorted(byPosition(inOriginal));
  return woven(others, named, (other, next) => {
    const [before, after] = [inOriginal.get(identity(other)), inOriginal.get(identity(next))];
    return before !== undefined && after !== undefined && before < after;
  });
}

function woven(others: Json[], named: Json[], comesFirst: (other: Json, next: Json) => boolean): Json[] {
  const result: Json[] = [];
  let taken = 0;
  for (const next of named) {
    for (let other = others[taken]; other !== undefined && comesFirst(other, next); other = others[++taken]) {
      result.push(other);
    }
    result.push(next);
  }
  return [...result, ...others.slice(taken)];
}

import { byNumberOf } from '@nodewright/apis';
import { type JsonValue, memberOf } from '../schema/json.ts';

export type OrderRequest = {
  readonly merged: readonly JsonValue[];
  /** The items of the patch, in its order. */
  readonly patchOrder: readonly JsonValue[];
  /** The list before the patch. */
  readonly original: readonly JsonValue[];
  readonly mergeKey: string | undefined;
};

/**
 * Orders the items of the patch as the patch does and keeps the other items: an item that came before an item of the
 * patch still does.
 */
export function inPatchOrder({ merged, patchOrder, original, mergeKey }: OrderRequest): JsonValue[] {
  const identity = (item: JsonValue): JsonValue | undefined =>
    mergeKey === undefined ? item : memberOf(item, mergeKey);
  const positions = (list: readonly JsonValue[]): Map<JsonValue | undefined, number> =>
    new Map(list.map((item, index) => [identity(item), index]));
  const inPatch = positions(patchOrder);
  const inOriginal = positions(original);
  const byPosition = (order: Map<JsonValue | undefined, number>) =>
    byNumberOf((item: JsonValue) => order.get(identity(item)) ?? 0);
  const named = merged.filter((item) => inPatch.has(identity(item))).toSorted(byPosition(inPatch));
  const others = merged.filter((item) => !inPatch.has(identity(item))).toSorted(byPosition(inOriginal));
  return woven(others, named, (other, next) => {
    const [before, after] = [inOriginal.get(identity(other)), inOriginal.get(identity(next))];
    return before !== undefined && after !== undefined && before < after;
  });
}

function woven(
  others: JsonValue[],
  named: JsonValue[],
  comesFirst: (other: JsonValue, next: JsonValue) => boolean,
): JsonValue[] {
  const result: JsonValue[] = [];
  let taken = 0;
  for (const next of named) {
    for (let other = others[taken]; other !== undefined && comesFirst(other, next); other = others[++taken]) {
      result.push(other);
    }
    result.push(next);
  }
  return [...result, ...others.slice(taken)];
}

import { byTextOf } from '@nodewright/apis';
import type { Requirements } from './requirements.ts';

/** A label of which too few different values are left to choose from. */
export type MinValuesShortfall = { readonly key: string; readonly wanted: number; readonly found: number };

type WithRequirements = { readonly requirements: Requirements };

/** The outcome of counting: which keys fall short, and how many types (in the order given) it took to meet the others. */
export type MinValuesCount = { readonly needed: number; readonly short: readonly MinValuesShortfall[] };

/**
 * Counts the different values that instance types offer for every key with `minValues`.
 *
 * Values are those the types list themselves, so bounds and exclusions can carry `minValues` too.
 * Counting stops as soon as every count is met. No types at all count as met: that there is none
 * is the better complaint.
 * @param types in the order in which they would be kept, cheapest first
 */
export function countMinValues(requirements: Requirements, types: readonly WithRequirements[]): MinValuesCount {
  const counted = [...requirements.values()].flatMap(({ key, minValues }) =>
    minValues === undefined ? [] : [{ key, wanted: minValues, values: new Set<string>() }],
  );
  if (counted.length === 0 || types.length === 0) return { needed: 0, short: [] };
  for (const [index, type] of types.entries()) {
    for (const { key, values } of counted)
      for (const value of type.requirements.get(key)?.values ?? []) values.add(value);
    if (listShortfalls(counted).length === 0) return { needed: index + 1, short: [] };
  }
  return { needed: types.length, short: listShortfalls(counted) };
}

type CountedLabel = { readonly key: string; readonly wanted: number; readonly values: ReadonlySet<string> };

const listShortfalls = (counted: readonly CountedLabel[]): readonly MinValuesShortfall[] =>
  counted
    .filter(({ wanted, values }) => values.size < wanted)
    .map(({ key, wanted, values }) => ({ key, wanted, found: values.size }))
    .toSorted(byTextOf(({ key }) => key));

/** The set with each short key's `minValues` lowered to what was found: the `BestEffort` policy. */
export function relaxMinValues(set: Requirements, short: readonly MinValuesShortfall[]): Requirements {
  const found = new Map(short.map((shortfall) => [shortfall.key, shortfall.found]));
  return new Map(
    [...set].map(([key, r]) => {
      const minValues = found.get(key);
      return [key, minValues === undefined ? r : { ...r, minValues }];
    }),
  );
}

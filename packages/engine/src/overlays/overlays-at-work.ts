import { byTextOf } from '@nodewright/apis';
import type { InstanceType } from '../instance-types/instance-type.ts';

/** How many of some types owe their price, or resources, to which overlay; by name. */
export type OverlaysAtWork = {
  readonly prices: ReadonlyMap<string, number>;
  readonly resources: ReadonlyMap<string, number>;
};

export const overlaysAtWork = (types: readonly InstanceType[]): OverlaysAtWork => ({
  prices: countedOverlays(types, ({ offerings }) => offerings.flatMap(({ overlaidBy }) => overlaidBy ?? [])),
  resources: countedOverlays(types, ({ overlaidBy = [] }) => overlaidBy),
});

/** `prices by NodeOverlays a, b` and the like; empty where no overlay had a part. */
export function printedOverlays({ prices, resources }: OverlaysAtWork): readonly string[] {
  const told = (what: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${what} by NodeOverlay${names.length === 1 ? '' : 's'} ${names.join(', ')}`];
  return [...told('prices', [...prices.keys()]), ...told('resources', [...resources.keys()])];
}

function countedOverlays(
  types: readonly InstanceType[],
  overlaysOf: (type: InstanceType) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const type of types) for (const name of new Set(overlaysOf(type))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].toSorted(byTextOf(([name]) => name)));
}

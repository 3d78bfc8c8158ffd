import { formatQuantity, parseQuantity, readOwn, type ResourceList } from '@nodewright/apis';

const nanosOf = (list: ResourceList, name: string): bigint => parseQuantity(readOwn(list, name) ?? 0).nanos;

/** The amounts of a list that also have a name in another one. */
export const maskAmounts = (list: ResourceList, names: ResourceList): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => Object.hasOwn(names, name)));

/** `used` changed by what an object takes now and took before. The result keeps the names of `used`. */
export function movedAmounts(used: ResourceList, taken: ResourceList, released: ResourceList): ResourceList {
  return Object.fromEntries(
    Object.entries(used).map(([name, amount]) => {
      const difference = nanosOf(taken, name) - nanosOf(released, name);
      if (difference === 0n) return [name, amount];
      const sample = parseQuantity(readOwn(taken, name) ?? readOwn(released, name) ?? amount);
      const before = parseQuantity(amount);
      const format = before.nanos === 0n ? sample.format : before.format;
      const nanos = before.nanos + difference;
      return [name, formatQuantity({ format, nanos: nanos < 0n ? 0n : nanos })];
    }),
  );
}

/** The amounts of `after` that are more than in `before`, as differences. */
export function grownAmounts(after: ResourceList, before: ResourceList): ResourceList {
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, amount]) => {
      const { nanos, format } = parseQuantity(amount);
      const grown = nanos - nanosOf(before, name);
      return grown > 0n ? [[name, formatQuantity({ nanos: grown, format })]] : [];
    }),
  );
}

/** The names of `wanted` whose amounts, on top of `used`, are more than `hard`. */
export const exceededNames = (wanted: ResourceList, used: ResourceList, hard: ResourceList): readonly string[] =>
  Object.keys(wanted)
    .filter((name) => nanosOf(used, name) + nanosOf(wanted, name) > nanosOf(hard, name))
    .toSorted();

/** Some amounts of a list as messages show them: `pods=1,requests.cpu=100m`. */
export const printAmounts = (list: ResourceList, names: readonly string[]): string =>
  names.map((name) => `${name}=${formatQuantity(parseQuantity(readOwn(list, name) ?? 0))}`).join(',');

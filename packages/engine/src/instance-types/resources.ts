import {
  byTextOf,
  formatQuantity,
  millisOf,
  oncePerObject,
  quantityOfMillis,
  quantityOfUnits,
  quantityUnits,
  readOwn,
  writeOwn,
} from '@nodewright/apis';
import type { ResourceList } from '@nodewright/apis';
import type { Resources } from './instance-type.ts';

export const noResources: Resources = {};

/**
 * Amounts of a manifest as whole numbers: `cpu` in millicores, everything else in units, rounded up.
 * @throws ValueError for what is no quantity
 */
export const resourcesOf = (list: ResourceList | undefined): Resources =>
  list === undefined ? noResources : amountsOnce(list);

/** As `resourcesOf`, for lists that are read once. */
export function amountsOf(list: ResourceList): Resources {
  const amounts: Record<string, number> = {};
  for (const name in list) {
    const text = readOwn(list, name) ?? 0;
    writeOwn(amounts, name, name === 'cpu' ? millisOf(text) : quantityUnits(text));
  }
  return amounts;
}

/** Every round asks for what the same nodes have. */
const amountsOnce = oncePerObject(amountsOf);

/** The reverse of `resourcesOf`, sorted by name; memory, storage and huge pages in binary units. */
export const toResourceList = (resources: Resources): ResourceList =>
  Object.fromEntries(
    Object.entries(resources)
      .toSorted(byTextOf(([name]) => name))
      .map(([name, amount]) => [name, formatQuantity(quantityOf(name, amount))]),
  );

/** An amount of a resource as people write it: `1500m` of `cpu`, `2Gi` of `memory`. */
export const printedAmount = (name: string, amount: number): string => formatQuantity(quantityOf(name, amount));

/** `cpu 1500m, memory 2Gi` */
export const printedResources = (resources: Resources): string =>
  Object.entries(toResourceList(resources))
    .map(([name, amount]) => `${name} ${amount}`)
    .join(', ');

const quantityOf = (name: string, amount: number) =>
  name === 'cpu' ? quantityOfMillis(amount) : quantityOfUnits(amount, isBytes(name) ? 'binary' : 'decimal');

const isBytes = (name: string): boolean =>
  name === 'memory' || name.endsWith('storage') || name.startsWith('hugepages-');

/** Resource by resource; one that only a side has counts as zero on the other. */
export function addResources(a: Resources, b: Resources): Resources {
  const sum: Record<string, number> = { ...a };
  for (const name in b) writeOwn(sum, name, (readOwn(sum, name) ?? 0) + (readOwn(b, name) ?? 0));
  return sum;
}
/** Resource by resource, possibly below zero. */
export const subtractResources = (a: Resources, b: Resources): Resources => combineResources(a, b, (x, y) => x - y);
/** The larger of each. */
export const maxResources = (a: Resources, b: Resources): Resources => combineResources(a, b, Math.max);

/** All of them together. */
export function sumOfResources(all: Iterable<Resources>): Resources {
  const sum: Record<string, number> = {};
  for (const resources of all)
    for (const name in resources) writeOwn(sum, name, (readOwn(sum, name) ?? 0) + (readOwn(resources, name) ?? 0));
  return sum;
}

function combineResources(a: Resources, b: Resources, of: (x: number, y: number) => number): Resources {
  const all: Record<string, number> = { ...a };
  for (const name of Object.keys(b)) writeOwn(all, name, of(readOwn(a, name) ?? 0, readOwn(b, name) ?? 0));
  for (const name of Object.keys(a)) if (!Object.hasOwn(b, name)) writeOwn(all, name, of(readOwn(a, name) ?? 0, 0));
  return all;
}

/** The smaller amount of every resource that all lists have. */
export function commonMinimum(all: readonly Resources[]): Resources {
  const [first = noResources, ...rest] = all;
  return Object.fromEntries(
    Object.entries(first)
      .filter(([name]) => rest.every((other) => Object.hasOwn(other, name)))
      .map(([name, amount]) => [name, Math.min(amount, ...rest.map((other) => readOwn(other, name) ?? 0))]),
  );
}

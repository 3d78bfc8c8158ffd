import { byTextOf, oncePerObject, readOwn, writeOwn } from '@nodewright/apis';
import type { InstanceType, Offering, Resources } from './instance-type.ts';

/** A type with those of its offerings through which a node has the same. */
export type TypeVariant = {
  /** With just these offerings, and what a node bought through them has. */
  readonly type: InstanceType;
  /** The type with all its offerings; the same object where they do not differ in what a node has. */
  readonly whole: InstanceType;
};

/** The type with the offerings that override nothing, then one variant per different set of overrides. */
export const variantsOf = oncePerObject((whole: InstanceType): readonly TypeVariant[] =>
  whole.offerings.every(hasNoOverrides) ? [{ type: whole, whole }] : splitByOverrides(whole),
);

const hasNoOverrides = ({ overrides }: Offering): boolean => overrides === undefined;

function splitByOverrides(whole: InstanceType): readonly TypeVariant[] {
  const byText = new Map<string, Offering[]>();
  for (const offering of whole.offerings) {
    const text = overridesText(offering);
    byText.set(text, [...(byText.get(text) ?? []), offering]);
  }
  return [...byText].toSorted(byTextOf(([name]) => name)).flatMap(([, offerings]) => {
    const [first] = offerings;
    return first === undefined ? [] : [{ type: { ...whole, ...resourcesThrough(whole, first), offerings }, whole }];
  });
}

/** Empty without overrides. */
const overridesText = ({ overrides }: Offering): string =>
  overrides === undefined ? '' : `${amountsText(overrides.capacity)};${amountsText(overrides.overhead)}`;

const amountsText = (amounts: Resources = {}): string =>
  Object.entries(amounts)
    .map(([name, amount]) => `${name} ${amount}`)
    .toSorted()
    .join();

type Sized = Pick<InstanceType, 'capacity' | 'allocatable'>;

/** What a node of the type has when it is bought through this offering of it. */
export function resourcesThrough(type: Sized, { overrides }: Pick<Offering, 'overrides'>): Sized {
  if (overrides === undefined) return { capacity: type.capacity, allocatable: type.allocatable };
  const capacity = { ...type.capacity, ...overrides.capacity };
  const overridden = new Set([...Object.keys(overrides.capacity ?? {}), ...Object.keys(overrides.overhead ?? {})]);
  if ([...overridden].some(isHugePages)) overridden.add('memory');
  const allocatable: Record<string, number> = { ...type.allocatable };
  for (const name of overridden) {
    const overhead = readOwn(overrides.overhead, name) ?? overheadOfResource(type, name);
    writeOwn(allocatable, name, Math.max(0, (readOwn(capacity, name) ?? 0) - overhead - setAside(capacity, name)));
  }
  return { capacity, allocatable };
}

/** What kubelet, system and eviction threshold keep back of a resource. */
const overheadOfResource = ({ capacity, allocatable }: Sized, name: string): number =>
  (readOwn(capacity, name) ?? 0) - (readOwn(allocatable, name) ?? 0) - setAside(capacity, name);

/** Huge pages are set aside from memory. */
const setAside = (capacity: Resources, name: string): number =>
  name === 'memory'
    ? Object.entries(capacity).reduce((sum, [each, amount]) => (isHugePages(each) ? sum + amount : sum), 0)
    : 0;

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/**
 * Puts variants together again, each type once, in the order in which the first of its variants comes; with the
 * offerings of those variants that are listed and no others.
 */
export function wholeTypes(variants: readonly TypeVariant[]): readonly InstanceType[] {
  const byWhole = new Map<InstanceType, InstanceType>();
  for (const { type, whole } of variants) {
    const before = byWhole.get(whole);
    if (before === undefined) byWhole.set(whole, type === whole ? type : { ...whole, offerings: type.offerings });
    else byWhole.set(whole, { ...whole, offerings: [...before.offerings, ...type.offerings] });
  }
  return [...byWhole.values()];
}

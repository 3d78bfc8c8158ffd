import { kubernetesLabels, mergeRecords, type NodeOverlay, type NodePool, readOwn } from '@nodewright/apis';
import type { Requirements } from '@nodewright/requirements';
import type { InstanceType, Offering, Resources } from '../instance-types/instance-type.ts';
import { resourcesOf } from '../instance-types/resources.ts';
import { changedPrice, changesPrice } from './changed-price.ts';
import { poolRequirements, reachedOfferings, readOverlay, type ReadOverlay } from './overlay-reach.ts';

/**
 * What a pool can launch, at the prices and with the resources that overlays give it. Types and offerings that no
 * overlay speaks of are the very same objects; so is the list when there are no others.
 * @param accepted overlays that count, the heaviest first: of two that speak of the same, the first one holds
 */
export function overlaidTypes(
  nodePool: NodePool,
  types: readonly InstanceType[],
  accepted: readonly NodeOverlay[],
): readonly InstanceType[] {
  if (accepted.length === 0) return types;
  const overlays = accepted.map(readOverlay);
  const pool = poolRequirements(nodePool);
  const overlaid = types.map((type) => overlaidType(type, overlays, pool));
  return overlaid.every((type, index) => type === types[index]) ? types : overlaid;
}

type OverlayReach = { readonly overlay: NodeOverlay; readonly offerings: readonly Offering[] };

function overlaidType(type: InstanceType, overlays: readonly ReadOverlay[], pool: Requirements): InstanceType {
  const reaches = overlays
    .map((read): OverlayReach => ({ overlay: read.overlay, offerings: reachedOfferings(read, pool, type) }))
    .filter(({ offerings }) => offerings.length > 0);
  const offerings = withPrices(type.offerings, reaches);
  const resized = withCapacity(type, reaches);
  return offerings === type.offerings ? resized : { ...resized, offerings };
}

function withPrices(offerings: readonly Offering[], reaches: readonly OverlayReach[]): readonly Offering[] {
  const priced = reaches.filter(({ overlay }) => changesPrice(overlay));
  if (priced.length === 0) return offerings;
  return offerings.map((offering) => {
    const own = priced.filter((reach) => reach.offerings.includes(offering)).map(({ overlay }) => overlay);
    return own[0] === undefined ? offering : withPrice(offering, own[0], own.find(pricesType));
  });
}

/** @param pricer the overlay that stands in for a price list where there is none */
function withPrice(offering: Offering, overlay: NodeOverlay, pricer: NodeOverlay | undefined): Offering {
  const overlaidBy = overlay.metadata.name;
  if (offering.unpriced !== true)
    return { ...offering, priceMicroUsdPerHour: changedPrice(offering.priceMicroUsdPerHour, overlay), overlaidBy };
  if (pricer === undefined) return offering;
  const { unpriced: _, ...known } = offering;
  const priceMicroUsdPerHour = changedPrice(changedPrice(0, pricer), overlay);
  return { ...known, available: true, priceMicroUsdPerHour, overlaidBy };
}

/** A type that has no public price can be launched when an overlay prices it by its name, and by nothing else. */
const pricesType = ({ spec: { price, requirements } }: NodeOverlay): boolean =>
  price !== undefined &&
  requirements.length === 1 &&
  requirements[0]?.key === kubernetesLabels.instanceType &&
  requirements[0].operator === 'In';

function withCapacity(type: InstanceType, reaches: readonly OverlayReach[]): InstanceType {
  const sized = reaches.filter(({ overlay }) => Object.keys(overlay.spec.capacity ?? {}).length > 0);
  if (sized.length === 0) return type;
  const given = mergeRecords(sized.toReversed().map(({ overlay }) => resourcesOf(overlay.spec.capacity)));
  return {
    ...type,
    capacity: { ...type.capacity, ...given },
    allocatable: withHugePages(type, given),
    overlaidBy: sized.map(({ overlay }) => overlay.metadata.name),
  };
}

/** Huge pages are set aside from memory; everything else is there for pods as it is. */
function withHugePages({ capacity, allocatable }: InstanceType, given: Resources): Resources {
  const setAside = Object.entries(given)
    .filter(([name]) => name.startsWith('hugepages-'))
    .reduce((sum, [name, amount]) => sum + amount - (readOwn(capacity, name) ?? 0), 0);
  const memory = Math.max(0, (allocatable['memory'] ?? 0) - setAside);
  return { ...allocatable, ...given, ...(setAside === 0 ? {} : { memory }) };
}

import { type EC2NodeClass, type NodeClaim, quantityUnits, readOwn } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';

/** The resource that the device plugin for elastic fabric adapters announces. */
export const fabricResource = 'vpc.amazonaws.com/efa';

/** How many elastic fabric adapters an instance of the type gets for the claim: all of them, or none. */
export const fabricAdaptersFor = (claim: NodeClaim, { capacity }: InstanceType): number =>
  asksForFabric(claim) ? (readOwn(capacity, fabricResource) ?? 0) : 0;

const asksForFabric = ({ spec }: NodeClaim): boolean =>
  quantityUnits(readOwn(spec.resources?.requests ?? {}, fabricResource) ?? '0') > 0;

/** The type as the claim gets it: an instance without EFA interfaces has no adapters, whatever its type could have. */
export function typeAsLaunched(type: InstanceType, claim: NodeClaim, isConfigured: boolean): InstanceType {
  if (isConfigured || asksForFabric(claim) || readOwn(type.capacity, fabricResource) === undefined) return type;
  const { [fabricResource]: _capacity, ...capacity } = type.capacity;
  const { [fabricResource]: _allocatable, ...allocatable } = type.allocatable;
  return { ...type, capacity, allocatable };
}

type ConfiguredInterface = NonNullable<EC2NodeClass['spec']['networkInterfaces']>[number];

export const isFabricAdapter = ({ interfaceType }: Pick<ConfiguredInterface, 'interfaceType'>): boolean =>
  interfaceType === 'efa-only';

/** Interfaces of the default card that have no addresses for pods. */
export const adaptersOnFirstCard = ({ spec }: EC2NodeClass): number =>
  (spec.networkInterfaces ?? []).filter((each) => isFabricAdapter(each) && each.networkCardIndex === 0).length;

import type { LaunchOption } from './launch-option.ts';
import { type NodeClaim, readOwn } from '@nodewright/apis';
import type { CapacityType, InstanceType } from '@nodewright/engine';
import type { LaunchRequest } from '@nodewright/ports';
import { admitsAll, admitsKnown } from './admits.ts';
import { groupIdOf, partitionFor, partitionOf } from '../placement-groups/partition.ts';
import { reservedFirst } from './reserved-options.ts';
import type { UnavailableOfferings } from './unavailable-offerings.ts';

export type LaunchChoice = { readonly capacityType: CapacityType; readonly options: readonly LaunchOption[] };

const mostTypes = 60;
const exoticResources = [
  'nvidia.com/gpu',
  'amd.com/gpu',
  'habana.ai/gaudi',
  'aws.amazon.com/neuron',
  'aws.amazon.com/neuroncore',
];

/**
 * What one launch offers EC2 to choose from, the cheapest first: what is reserved if there is any, else spot if
 * the claim and the market allow it, no exotic types unless there is nothing else, no spot dearer than on demand,
 * sixty types at most.
 */
export function launchChoice(request: LaunchRequest, unavailable: UnavailableOfferings): LaunchChoice | undefined {
  const open = reservedFirst(
    inOnePartition(
      request.instanceTypes.flatMap((type) => optionsOf(type, request, unavailable)),
      request,
    ),
  );
  const reasonable = hasMinValues(request.claim) ? open : withoutDearSpot(withoutExotic(open));
  const capacityType = preferred.find((each) => reasonable.some(({ offering }) => offering.capacityType === each));
  if (capacityType === undefined) return undefined;
  const options = reasonable.filter(({ offering }) => offering.capacityType === capacityType).toSorted(cheapestFirst);
  const types = [...new Set(options.map(({ type }) => type.name))].slice(0, mostTypes);
  const chosen = options.filter(({ type }) => types.includes(type.name));
  return { capacityType, options: chosen };
}

const preferred = ['reserved', 'spot', 'on-demand'] as const;

function optionsOf(
  type: InstanceType,
  { claim, images }: LaunchRequest,
  unavailable: UnavailableOfferings,
): LaunchOption[] {
  const image = images.find(({ requirements }) => admitsAll(type.requirements, requirements));
  if (image === undefined) return [];
  return type.offerings
    .filter((offering) => offering.available && admitsKnown(offering.requirements, claim.spec.requirements))
    .filter(
      ({ zone, capacityType }) =>
        !unavailable.has({ instanceType: type.name, zone, capacityType, placementGroup: groupIdOf(type) }),
    )
    .map((offering) => ({ type, offering, image }));
}

/** A launch names its partition of a placement group. */
function inOnePartition(options: readonly LaunchOption[], { claim }: LaunchRequest): readonly LaunchOption[] {
  const partitions = options.flatMap(({ offering }) => partitionOf(offering) ?? []);
  if (partitions.length === 0) return options;
  const partition = partitionFor(claim.metadata.uid ?? claim.metadata.name, partitions);
  return options.filter(({ offering }) => partitionOf(offering) === partition);
}

const hasMinValues = ({ spec }: NodeClaim): boolean =>
  spec.requirements.some(({ minValues }) => minValues !== undefined);

function withoutExotic(options: readonly LaunchOption[]): readonly LaunchOption[] {
  const ordinary = options.filter(({ type }) => !isExotic(type));
  return ordinary.length === 0 ? options : ordinary;
}

/** Bare metal, or with accelerators. */
export const isExotic = ({ name, capacity }: InstanceType): boolean =>
  (name.split('.')[1] ?? '').includes('metal') ||
  exoticResources.some((resource) => (readOwn(capacity, resource) ?? 0) > 0);

function withoutDearSpot(options: readonly LaunchOption[]): readonly LaunchOption[] {
  const onDemand = options.filter(({ offering }) => offering.capacityType === 'on-demand').map(priceOf);
  const cheapest = Math.min(...onDemand);
  return options.filter((option) => option.offering.capacityType !== 'spot' || priceOf(option) <= cheapest);
}

const priceOf = ({ offering }: LaunchOption): number => offering.priceMicroUsdPerHour;

const cheapestFirst = (a: LaunchOption, b: LaunchOption): number =>
  priceOf(a) - priceOf(b) || compareText(a.type.name, b.type.name) || compareText(a.offering.zone, b.offering.zone);

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

import { type LaunchOption, optionPrice } from './launch-option.ts';
import { byText, type NodeClaim, readOwn } from '@nodewright/apis';
import type { CapacityType, InstanceType, Offering } from '@nodewright/engine';
import type { LaunchRequest } from '@nodewright/ports';
import { requirementsIntersect, type Requirements, parseRequirements, selectBootImage } from '@nodewright/requirements';
import { placementGroupIdOf, choosePartition, partitionOfOffering } from '../../found/placement-groups/partition.ts';
import { keepReservedFirst } from './reserved-options.ts';
import type { UnavailableOfferings } from '../../market/unavailable-offerings.ts';

export type LaunchChoice = { readonly capacityType: CapacityType; readonly options: readonly LaunchOption[] };

const mostTypesInAFleet = 60;
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
export function chooseLaunch(request: LaunchRequest, unavailable: UnavailableOfferings): LaunchChoice | undefined {
  const open = keepReservedFirst(inOnePartition(listLaunchOptions(request, unavailable), request));
  const reasonable = hasMinValues(request.claim) ? open : withoutDearSpot(withoutExotic(open));
  const capacityType = preferredCapacityTypes.find((each) =>
    reasonable.some(({ offering }) => offering.capacityType === each),
  );
  if (capacityType === undefined) return undefined;
  const options = reasonable.filter(({ offering }) => offering.capacityType === capacityType).toSorted(cheapestFirst);
  const types = [...new Set(options.map(({ type }) => type.name))].slice(0, mostTypesInAFleet);
  const chosen = options.filter(({ type }) => types.includes(type.name));
  return { capacityType, options: chosen };
}

const preferredCapacityTypes = ['reserved', 'spot', 'on-demand'] as const;

/** Every available offering that the claim's requirements admit, of the types that an image is for. */
export function listLaunchOptions(
  { claim, images, instanceTypes }: Pick<LaunchRequest, 'claim' | 'images' | 'instanceTypes'>,
  unavailable: UnavailableOfferings,
): readonly LaunchOption[] {
  const requirements = parseRequirements(claim.spec.requirements);
  return instanceTypes.flatMap((type) => {
    const image = selectBootImage(type, images);
    return image === undefined
      ? []
      : openOfferings(type, requirements, unavailable).map((offering) => ({ type, offering, image }));
  });
}

const openOfferings = (
  type: InstanceType,
  requirements: Requirements,
  unavailable: UnavailableOfferings,
): readonly Offering[] =>
  type.offerings
    .filter((offering) => offering.available && requirementsIntersect(requirements, offering.requirements))
    .filter(
      ({ zone, capacityType }) =>
        !unavailable.has({ instanceType: type.name, zone, capacityType, placementGroup: placementGroupIdOf(type) }),
    );

/** A launch names its partition of a placement group. */
function inOnePartition(options: readonly LaunchOption[], { claim }: LaunchRequest): readonly LaunchOption[] {
  const partitions = options.flatMap(({ offering }) => partitionOfOffering(offering) ?? []);
  if (partitions.length === 0) return options;
  const partition = choosePartition(claim.metadata.uid ?? claim.metadata.name, partitions);
  return options.filter(({ offering }) => partitionOfOffering(offering) === partition);
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
  const onDemand = options.filter(({ offering }) => offering.capacityType === 'on-demand').map(optionPrice);
  const cheapest = Math.min(...onDemand);
  return options.filter((option) => option.offering.capacityType !== 'spot' || optionPrice(option) <= cheapest);
}

const cheapestFirst = (a: LaunchOption, b: LaunchOption): number =>
  optionPrice(a) - optionPrice(b) || byText(a.type.name, b.type.name) || byText(a.offering.zone, b.offering.zone);

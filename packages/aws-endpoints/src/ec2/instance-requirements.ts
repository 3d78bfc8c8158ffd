import type {
  GetInstanceTypesFromInstanceRequirementsRequest,
  GetInstanceTypesFromInstanceRequirementsResult,
  InstanceRequirementsRequest,
} from '@aws-sdk/client-ec2';
import type { CatalogueType } from '../catalogue/instance-type.ts';
import { takePage } from '../paging.ts';
import { ec2BadToken } from './errors.ts';
import { instanceTypeOnTheWire } from './instance-type-on-the-wire.ts';
import type { Ec2 } from './model.ts';
import { matchesWildcards, parseWildcards } from './wildcards.ts';

/** Lists the types that have what is required. Protection by price is not looked at. */
export function getInstanceTypesFromRequirements(
  { market }: Ec2,
  request: GetInstanceTypesFromInstanceRequirementsRequest,
): GetInstanceTypesFromInstanceRequirementsResult {
  const { ArchitectureTypes: architectures = [], InstanceRequirements: required } = request;
  const found = market
    .types()
    .filter((type) => architectures.includes(type.arch === 'amd64' ? 'x86_64' : 'arm64'))
    .filter((type) => required === undefined || meetsRequirements(type, required));
  const page = { size: request.MaxResults ?? 1000, token: request.NextToken, refuse: ec2BadToken };
  const { items, next } = takePage(found, page);
  return { InstanceTypes: items.map(({ name }) => ({ InstanceType: name })), ...(next && { NextToken: next }) };
}

type Range = { readonly Min?: number | undefined; readonly Max?: number | undefined };

const isInRange = (value: number, range: Range | undefined): boolean =>
  range === undefined || (value >= (range.Min ?? 0) && value <= (range.Max ?? Infinity));

/** Whether a type has what is required. What is not said of bare metal and of burstable types leaves them out. */
export function meetsRequirements(type: CatalogueType, required: InstanceRequirementsRequest): boolean {
  return (
    isInRange(type.vcpus, required.VCpuCount) &&
    isInRange(type.memoryMib, required.MemoryMiB) &&
    isInRange(type.memoryMib / 1024 / type.vcpus, required.MemoryGiBPerVCpu) &&
    isInRange(type.interfaces * (type.fabric?.cards ?? 1), required.NetworkInterfaceCount) &&
    isInRange((type.networkMbps ?? 0) / 1000, required.NetworkBandwidthGbps) &&
    isInRange(type.ebsMbps ?? 0, required.BaselineEbsBandwidthMbps) &&
    isInRange(type.localNvmeGb ?? 0, required.TotalLocalStorageGB) &&
    meetsKind(type, required) &&
    meetsAccelerators(type, required) &&
    isNamed(type, required)
  );
}

const cpuMakers = { Intel: 'intel', AMD: 'amd', AWS: 'amazon-web-services' } as const;

type Choice = 'included' | 'excluded' | 'required' | undefined;

const isChosen = (has: boolean, choice: Choice, usual: 'included' | 'excluded'): boolean => {
  const wanted = choice ?? usual;
  return wanted === 'included' || (wanted === 'required') === has;
};

function meetsKind(type: CatalogueType, required: InstanceRequirementsRequest): boolean {
  const makers = required.CpuManufacturers ?? [];
  const generations = required.InstanceGenerations ?? [];
  const generation = instanceTypeOnTheWire(type).CurrentGeneration === true ? 'current' : 'previous';
  return (
    (makers.length === 0 || makers.includes(cpuMakers[type.manufacturer])) &&
    (generations.length === 0 || generations.includes(generation)) &&
    isChosen(type.isBareMetal === true, required.BareMetal, 'excluded') &&
    isChosen(/^t\d/.test(type.name), required.BurstablePerformance, 'excluded') &&
    isChosen(type.localNvmeGb !== undefined, required.LocalStorage, 'included') &&
    (required.LocalStorageTypes === undefined ||
      type.localNvmeGb === undefined ||
      required.LocalStorageTypes.includes('ssd'))
  );
}

/** A type without accelerators meets requirements that ask for none. */
function meetsAccelerators(type: CatalogueType, required: InstanceRequirementsRequest): boolean {
  const devices = type.gpu ?? type.neuron;
  if (!isInRange(devices?.count ?? 0, required.AcceleratorCount)) return false;
  if (!isInRange((devices?.memoryMibEach ?? 0) * (devices?.count ?? 0), required.AcceleratorTotalMemoryMiB))
    return false;
  const {
    AcceleratorTypes: kinds = [],
    AcceleratorManufacturers: makers = [],
    AcceleratorNames: names = [],
  } = required;
  if (kinds.length === 0 && makers.length === 0 && names.length === 0) return true;
  if (devices === undefined) return false;
  const kind = type.gpu === undefined ? 'inference' : 'gpu';
  const maker = type.gpu === undefined ? 'amazon-web-services' : type.gpu.manufacturer.toLowerCase();
  return (
    (kinds.length === 0 || kinds.includes(kind)) &&
    (makers.length === 0 || makers.some((each) => each === maker)) &&
    (names.length === 0 || names.some((each) => each === devices.name.toLowerCase()))
  );
}

function isNamed({ name }: CatalogueType, required: InstanceRequirementsRequest): boolean {
  const { AllowedInstanceTypes: allowed = [], ExcludedInstanceTypes: excluded = [] } = required;
  const matches = (pattern: string): boolean => matchesWildcards(parseWildcards(pattern), name);
  return (allowed.length === 0 || allowed.some(matches)) && !excluded.some(matches);
}

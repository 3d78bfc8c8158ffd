import type {
  DescribeInstanceTypeOfferingsRequest,
  DescribeInstanceTypeOfferingsResult,
  DescribeInstanceTypesRequest,
  DescribeInstanceTypesResult,
  DescribeSpotPriceHistoryRequest,
  DescribeSpotPriceHistoryResult,
  _InstanceType,
} from '@aws-sdk/client-ec2';
import { days } from '@nodewright/apis';
import { allTypes, typeNamed } from '../catalogue/catalogue.ts';
import type { CatalogueType } from '../catalogue/instance-type.ts';
import { spotPrice } from '../catalogue/spot-market.ts';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { ec2BadToken, invalidCombination } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import { instanceTypeOnTheWire } from './instance-type-on-the-wire.ts';
import type { Ec2 } from './model.ts';

const typeFilters: Filterable<CatalogueType> = {
  attributes: {
    'instance-type': ({ name }) => name,
    'supported-virtualization-type': () => 'hvm',
    'processor-info.supported-architecture': ({ arch }) => (arch === 'amd64' ? 'x86_64' : 'arm64'),
    'processor-info.sustained-clock-speed-in-ghz': ({ sustainedClockGhz }) => String(sustainedClockGhz),
    'supported-usage-class': () => ['on-demand', 'spot'],
    'supported-root-device-type': () => 'ebs',
    'current-generation': ({ hypervisor }) => String(hypervisor === 'nitro'),
    'bare-metal': () => 'false',
    hypervisor: ({ hypervisor }) => hypervisor,
    'vcpu-info.default-vcpus': ({ vcpus }) => String(vcpus),
    'memory-info.size-in-mib': ({ memoryMib }) => String(memoryMib),
  },
};

export function describeInstanceTypes(_ec2: Ec2, request: DescribeInstanceTypesRequest): DescribeInstanceTypesResult {
  const { InstanceTypes: names, MaxResults, NextToken } = request;
  if ((names ?? []).length > 0 && MaxResults !== undefined) {
    throw invalidCombination('The parameter instanceTypes cannot be used with the parameter maxResults');
  }
  const found = applyFilters(
    (names ?? []).length === 0 ? allTypes() : findTypes(names ?? []),
    request.Filters,
    typeFilters,
  );
  const { items, next } = takePage(found, { size: MaxResults ?? 100, token: NextToken, refuse: ec2BadToken });
  return { InstanceTypes: items.map(instanceTypeOnTheWire), ...(next && { NextToken: next }) };
}

/** Finds types by their names, each once. @throws AwsError naming all that are unknown */
function findTypes(names: readonly string[]): readonly CatalogueType[] {
  const missing = names.filter((name) => typeNamed(name) === undefined);
  if (missing.length > 0)
    throw new AwsError(
      'InvalidInstanceType',
      `The following supplied instance types do not exist: [${missing.join(', ')}]`,
    );
  return [...new Set(names)].flatMap((name) => typeNamed(name) ?? []);
}

/** Every type is sold in every zone. */
export function describeInstanceTypeOfferings(
  { network, account }: Ec2,
  request: DescribeInstanceTypeOfferingsRequest,
): DescribeInstanceTypeOfferingsResult {
  const LocationType = request.LocationType ?? 'region';
  const locations =
    LocationType === 'availability-zone'
      ? network.zones.map(({ name }) => name)
      : LocationType === 'availability-zone-id'
        ? network.zones.map(({ id }) => id)
        : [account.region];
  const all = allTypes().flatMap(({ name }) => locations.map((location) => ({ name, location })));
  const found = applyFilters(all, request.Filters, {
    attributes: { 'instance-type': ({ name }) => name, location: ({ location }) => location },
  });
  const page = { size: request.MaxResults ?? 1000, token: request.NextToken, refuse: ec2BadToken };
  const { items, next } = takePage(found, page);
  return {
    InstanceTypeOfferings: items.map(({ name, location }) => ({
      InstanceType: name as _InstanceType,
      LocationType,
      Location: location,
    })),
    ...(next && { NextToken: next }),
  };
}

/** The price of each type and zone now; it was last quoted at the beginning of the day. */
export function describeSpotPriceHistory(
  { network, clock }: Ec2,
  request: DescribeSpotPriceHistoryRequest,
): DescribeSpotPriceHistoryResult {
  const product = 'Linux/UNIX';
  if (request.ProductDescriptions?.every((each) => !each.startsWith(product))) return { SpotPriceHistory: [] };
  const quotedAt = new Date(Math.floor(clock.now() / days(1)) * days(1));
  const quotes = allTypes()
    .filter(({ name }) => request.InstanceTypes?.includes(name as _InstanceType) ?? true)
    .flatMap((type) => network.zones.map((zone) => ({ type, zone: zone.name })))
    .filter(({ zone }) => zone === (request.AvailabilityZone ?? zone));
  const found = applyFilters(quotes, request.Filters, {
    attributes: {
      'availability-zone': ({ zone }) => zone,
      'instance-type': ({ type }) => type.name,
      'product-description': () => product,
    },
  });
  const page = { size: request.MaxResults ?? 1000, token: request.NextToken, refuse: ec2BadToken };
  const { items, next } = takePage(found, page);
  return {
    SpotPriceHistory: items.map(({ type, zone }) => ({
      AvailabilityZone: zone,
      InstanceType: type.name as _InstanceType,
      ProductDescription: product,
      SpotPrice: (spotPrice(type, zone) / 1e6).toFixed(6),
      Timestamp: quotedAt,
    })),
    NextToken: next ?? '',
  };
}

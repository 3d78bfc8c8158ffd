import type {
  DescribeInstanceTypeOfferingsRequest,
  DescribeInstanceTypeOfferingsResult,
  DescribeInstanceTypesRequest,
  DescribeInstanceTypesResult,
  DescribeSpotPriceHistoryRequest,
  DescribeSpotPriceHistoryResult,
  _InstanceType,
} from '@aws-sdk/client-ec2';
import { instant } from '@nodewright/apis';
import { typeNamed } from '../catalogue/catalogue.ts';
import type { CatalogueType } from '../catalogue/instance-type.ts';
import type { SpotQuote } from '../catalogue/market.ts';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { ec2BadToken, invalidCombination } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import { instanceTypeOnTheWire } from './instance-type-on-the-wire.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';

const typeRecordPaths = parseRecordPaths(`
  auto-recovery-supported AutoRecoverySupported
  bare-metal BareMetal
  burstable-performance-supported BurstablePerformanceSupported
  current-generation CurrentGeneration
  dedicated-hosts-supported DedicatedHostsSupported
  ebs-info.attachment-limit-type EbsInfo.AttachmentLimitType
  ebs-info.ebs-optimized-info.baseline-bandwidth-in-mbps EbsInfo.EbsOptimizedInfo.BaselineBandwidthInMbps
  ebs-info.ebs-optimized-info.baseline-iops EbsInfo.EbsOptimizedInfo.BaselineIops
  ebs-info.ebs-optimized-info.baseline-throughput-in-mbps EbsInfo.EbsOptimizedInfo.BaselineThroughputInMBps
  ebs-info.ebs-optimized-info.maximum-bandwidth-in-mbps EbsInfo.EbsOptimizedInfo.MaximumBandwidthInMbps
  ebs-info.ebs-optimized-info.maximum-iops EbsInfo.EbsOptimizedInfo.MaximumIops
  ebs-info.ebs-optimized-info.maximum-throughput-in-mbps EbsInfo.EbsOptimizedInfo.MaximumThroughputInMBps
  ebs-info.ebs-optimized-support EbsInfo.EbsOptimizedSupport
  ebs-info.encryption-support EbsInfo.EncryptionSupport
  ebs-info.maximum-ebs-attachments EbsInfo.MaximumEbsAttachments
  ebs-info.nvme-support EbsInfo.NvmeSupport
  free-tier-eligible FreeTierEligible
  hibernation-supported HibernationSupported
  instance-storage-info.disk.count InstanceStorageInfo.Disks.Count
  instance-storage-info.disk.size-in-gb InstanceStorageInfo.Disks.SizeInGB
  instance-storage-info.disk.type InstanceStorageInfo.Disks.Type
  instance-storage-info.encryption-support InstanceStorageInfo.EncryptionSupport
  instance-storage-info.nvme-support InstanceStorageInfo.NvmeSupport
  instance-storage-info.total-size-in-gb InstanceStorageInfo.TotalSizeInGB
  instance-storage-supported InstanceStorageSupported
  network-info.bandwidth-weightings NetworkInfo.BandwidthWeightings
  network-info.efa-info.maximum-efa-interfaces NetworkInfo.EfaInfo.MaximumEfaInterfaces
  network-info.efa-supported NetworkInfo.EfaSupported
  network-info.ena-support NetworkInfo.EnaSupport
  network-info.encryption-in-transit-supported NetworkInfo.EncryptionInTransitSupported
  network-info.flexible-ena-queues-support NetworkInfo.FlexibleEnaQueuesSupport
  network-info.ipv4-addresses-per-interface NetworkInfo.Ipv4AddressesPerInterface
  network-info.ipv6-addresses-per-interface NetworkInfo.Ipv6AddressesPerInterface
  network-info.ipv6-supported NetworkInfo.Ipv6Supported
  network-info.maximum-network-cards NetworkInfo.MaximumNetworkCards
  network-info.maximum-network-interfaces NetworkInfo.MaximumNetworkInterfaces
  network-info.network-performance NetworkInfo.NetworkPerformance
  nitro-enclaves-support NitroEnclavesSupport
  nitro-tpm-info.supported-versions NitroTpmInfo.SupportedVersions
  nitro-tpm-support NitroTpmSupport
  processor-info.supported-features ProcessorInfo.SupportedFeatures
  reboot-migration-support RebootMigrationSupport
  supported-boot-mode SupportedBootModes
  supported-usage-class SupportedUsageClasses
  vcpu-info.default-cores VCpuInfo.DefaultCores
  vcpu-info.default-threads-per-core VCpuInfo.DefaultThreadsPerCore
  vcpu-info.valid-cores VCpuInfo.ValidCores
  vcpu-info.valid-threads-per-core VCpuInfo.ValidThreadsPerCore
`);

/** Filters that clients list all types with read the model. */
const typeFilters: Filterable<CatalogueType> = {
  records: { write: instanceTypeOnTheWire, paths: typeRecordPaths },
  attributes: {
    'instance-type': ({ name }) => name,
    'supported-virtualization-type': () => 'hvm',
    'processor-info.supported-architecture': ({ arch }) => (arch === 'amd64' ? 'x86_64' : 'arm64'),
    'processor-info.sustained-clock-speed-in-ghz': ({ sustainedClockGhz }) => String(sustainedClockGhz),
    'supported-root-device-type': () => 'ebs',
    hypervisor: ({ hypervisor, isBareMetal }) => (isBareMetal === true ? undefined : hypervisor),
    'vcpu-info.default-vcpus': ({ vcpus }) => String(vcpus),
    'memory-info.size-in-mib': ({ memoryMib }) => String(memoryMib),
  },
};

export function describeInstanceTypes(
  { market }: Ec2,
  request: DescribeInstanceTypesRequest,
): DescribeInstanceTypesResult {
  const { InstanceTypes: names, MaxResults, NextToken } = request;
  if ((names ?? []).length > 0 && MaxResults !== undefined) {
    throw invalidCombination('The parameter instanceTypes cannot be used with the parameter maxResults');
  }
  const found = applyFilters(
    (names ?? []).length === 0 ? market.types() : findTypes(names ?? []),
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

/** A region has a type when one of its zones has it. */
export function describeInstanceTypeOfferings(
  { network, account, market }: Ec2,
  request: DescribeInstanceTypeOfferingsRequest,
): DescribeInstanceTypeOfferingsResult {
  const LocationType = request.LocationType ?? 'region';
  const locate = ({ name, id }: { readonly name: string; readonly id: string }): string =>
    LocationType === 'availability-zone' ? name : LocationType === 'availability-zone-id' ? id : account.region;
  const all = market.types().flatMap((type) => {
    const zones = network.zones.filter(({ name }) => market.isOffered(type, name));
    return [...new Set(zones.map(locate))].map((location) => ({ name: type.name, location }));
  });
  const found = applyFilters(all, request.Filters, {
    attributes: { 'instance-type': ({ name }) => name, location: ({ location }) => location },
  });
  const size = Math.min(request.MaxResults ?? largestPricePage, largestPricePage);
  const page = { size, token: request.NextToken, refuse: ec2BadToken };
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

const linux = 'Linux/UNIX';

const largestPricePage = 1_000;

/** Lists quotes by type and zone, the newest first. Without a start only the ones that hold are listed. */
export function describeSpotPriceHistory(
  ec2: Ec2,
  request: DescribeSpotPriceHistoryRequest,
): DescribeSpotPriceHistoryResult {
  if (request.ProductDescriptions?.every((each) => !each.startsWith(linux))) return { SpotPriceHistory: [] };
  const found = applyFilters(listQuotes(ec2, request), request.Filters, {
    attributes: {
      'availability-zone': ({ zone }) => zone.name,
      'availability-zone-id': ({ zone }) => zone.id,
      'instance-type': ({ type }) => type.name,
      'product-description': () => linux,
      'spot-price': ({ quote }) => writeSpotPrice(quote),
      timestamp: ({ quote }) => new Date(quote.at).toISOString(),
    },
  });
  const page = { size: request.MaxResults ?? 1000, token: request.NextToken, refuse: ec2BadToken };
  const { items, next } = takePage(found, page);
  return {
    SpotPriceHistory: items.map(({ type, zone, quote }) => ({
      AvailabilityZone: zone.name,
      AvailabilityZoneId: zone.id,
      InstanceType: type.name as _InstanceType,
      ProductDescription: linux,
      SpotPrice: writeSpotPrice(quote),
      Timestamp: new Date(quote.at),
    })),
    NextToken: next ?? '',
  };
}

const writeSpotPrice = ({ microUsdPerHour }: SpotQuote): string => (microUsdPerHour / 1e6).toFixed(6);

function listQuotes({ network, clock, market }: Ec2, request: DescribeSpotPriceHistoryRequest) {
  const { InstanceTypes: names, AvailabilityZone: zoneName, AvailabilityZoneId: zoneId } = request;
  const types = names === undefined ? market.types() : names.flatMap((name) => typeNamed(name) ?? []);
  const zones = network.zones.filter(({ name, id }) => name === (zoneName ?? name) && id === (zoneId ?? id));
  const to = instant(Math.min(clock.now(), request.EndTime?.getTime() ?? Infinity));
  const window = { from: instant(Math.min(to, request.StartTime?.getTime() ?? to)), to };
  return types
    .filter(({ priceMicroUsdPerHour }) => Number.isFinite(priceMicroUsdPerHour))
    .flatMap((type) => zones.filter(({ name }) => market.isOffered(type, name)).map((zone) => ({ type, zone })))
    .flatMap(({ type, zone }) => market.spotQuotes(type, zone.name, window).map((quote) => ({ type, zone, quote })));
}

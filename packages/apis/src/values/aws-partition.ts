/** A group of AWS regions with accounts, names and endpoints of its own. */
type AwsPartition = {
  /** As in ARNs: `aws`, `aws-cn`. */
  readonly name: string;
  /** Of endpoints and service principals. */
  readonly dnsSuffix: string;
  /** Whether the partition has an API for the price list. */
  readonly hasPriceList: boolean;
};

const commercial: AwsPartition = { name: 'aws', dnsSuffix: 'amazonaws.com', hasPriceList: true };

const partitionsByPrefix: readonly (readonly [string, AwsPartition])[] = [
  ['cn-', { name: 'aws-cn', dnsSuffix: 'amazonaws.com.cn', hasPriceList: true }],
  ['us-gov-', { name: 'aws-us-gov', dnsSuffix: 'amazonaws.com', hasPriceList: false }],
  ['us-iso-', { name: 'aws-iso', dnsSuffix: 'c2s.ic.gov', hasPriceList: false }],
  ['us-isob-', { name: 'aws-iso-b', dnsSuffix: 'sc2s.sgov.gov', hasPriceList: false }],
  ['eu-isoe-', { name: 'aws-iso-e', dnsSuffix: 'cloud.adc-e.uk', hasPriceList: false }],
  ['us-isof-', { name: 'aws-iso-f', dnsSuffix: 'csp.hci.ic.gov', hasPriceList: false }],
  ['eusc-', { name: 'aws-eusc', dnsSuffix: 'amazonaws.eu', hasPriceList: false }],
];

/** The partition of a region: that of the commercial regions where no other claims its prefix. */
export const partitionOfRegion = (region: string): AwsPartition =>
  partitionsByPrefix.find(([prefix]) => region.startsWith(prefix))?.[1] ?? commercial;

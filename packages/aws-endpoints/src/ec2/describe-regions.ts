import type { DescribeRegionsRequest, DescribeRegionsResult, Region } from '@aws-sdk/client-ec2';
import { partitionOfRegion, readOwn } from '@nodewright/apis';
import type { AwsAccount } from '../account.ts';
import { invalidValue } from './errors.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';

/** Regions that every account of a partition has. */
const regionsOfPartitions: Readonly<Record<string, string>> = {
  aws: `ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-southeast-1 ap-southeast-2 ca-central-1 eu-central-1
    eu-north-1 eu-west-1 eu-west-2 eu-west-3 sa-east-1 us-east-1 us-east-2 us-west-1 us-west-2`,
  'aws-cn': 'cn-north-1 cn-northwest-1',
  'aws-us-gov': 'us-gov-east-1 us-gov-west-1',
};

/** The regions of an account by name; its own may be one that has to be asked for. */
function listRegionNames({ region }: AwsAccount): readonly string[] {
  const common = readOwn(regionsOfPartitions, partitionOfRegion(region).name) ?? '';
  return [...new Set([...common.split(/\s+/), region])].filter((name) => name !== '').toSorted();
}

export const isRegionOf = (account: AwsAccount, region: string): boolean => listRegionNames(account).includes(region);

const regionRecordPaths = parseRecordPaths(`
  endpoint Endpoint
  opt-in-status OptInStatus
  region-name RegionName
`);

/** Lists the regions of the account. */
export function describeRegions({ account }: Ec2, request: DescribeRegionsRequest): DescribeRegionsResult {
  const names = listRegionNames(account);
  const { dnsSuffix } = partitionOfRegion(account.region);
  const unknown = request.RegionNames?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalidValue(`Invalid region: [${unknown}]`);
  const records = names
    .filter((name) => request.RegionNames?.includes(name) ?? true)
    .map((RegionName): Region => ({
      RegionName,
      Endpoint: `ec2.${RegionName}.${dnsSuffix}`,
      OptInStatus: 'opt-in-not-required',
    }));
  const filterable = { records: { write: (region: Region) => region, paths: regionRecordPaths }, attributes: {} };
  return { Regions: [...applyFilters(records, request.Filters, filterable)] };
}

import type { DescribeRegionsRequest, DescribeRegionsResult, Region } from '@aws-sdk/client-ec2';
import { invalidValue } from './errors.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';

/** Regions that every account of the partition `aws` has. */
const commonRegions = `
  ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-southeast-1 ap-southeast-2 ca-central-1 eu-central-1
  eu-north-1 eu-west-1 eu-west-2 eu-west-3 sa-east-1 us-east-1 us-east-2 us-west-1 us-west-2`
  .trim()
  .split(/\s+/);

const regionRecordPaths = parseRecordPaths(`
  endpoint Endpoint
  opt-in-status OptInStatus
  region-name RegionName
`);

/** Lists the regions of the account. The sandbox answers for its own one only. */
export function describeRegions({ account }: Ec2, request: DescribeRegionsRequest): DescribeRegionsResult {
  const names = [...new Set([...commonRegions, account.region])].toSorted();
  const unknown = request.RegionNames?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalidValue(`Invalid region: [${unknown}]`);
  const records = names
    .filter((name) => request.RegionNames?.includes(name) ?? true)
    .map((RegionName): Region => ({
      RegionName,
      Endpoint: `ec2.${RegionName}.amazonaws.com`,
      OptInStatus: 'opt-in-not-required',
    }));
  const filterable = { records: { write: (region: Region) => region, paths: regionRecordPaths }, attributes: {} };
  return { Regions: [...applyFilters(records, request.Filters, filterable)] };
}

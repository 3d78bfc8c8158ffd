import { DescribeInstanceTypesCommand } from '@aws-sdk/client-ec2';
import type { AwsContext } from '../context.ts';
import { readAllPages } from '../calls/pages.ts';

/** Uses a filter, because a request by name fails when one name is unknown. */
export async function listProcessorCounts(
  { call, clients }: AwsContext,
  types: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  if (types.length === 0) return new Map();
  const Filters = [{ Name: 'instance-type', Values: [...types] }];
  const pages = await readAllPages((NextToken) =>
    call((options) => clients.ec2.send(new DescribeInstanceTypesCommand({ Filters, NextToken }), options), signal),
  );
  return new Map(
    pages
      .flatMap(({ InstanceTypes = [] }) => InstanceTypes)
      .flatMap(({ InstanceType, VCpuInfo }) =>
        InstanceType === undefined || VCpuInfo?.DefaultVCpus === undefined
          ? []
          : [[InstanceType, VCpuInfo.DefaultVCpus] as const],
      ),
  );
}

import { DescribeInstancesCommand, type Instance } from '@aws-sdk/client-ec2';
import { readAllPages } from '../calls/pages.ts';
import type { AwsContext } from '../context.ts';

/** What is pending or runs in the account, in this cluster or not. */
export async function listRunningInstances(
  { call, clients }: Pick<AwsContext, 'call' | 'clients'>,
  signal: AbortSignal,
): Promise<readonly Instance[]> {
  const Filters = [{ Name: 'instance-state-name', Values: ['pending', 'running'] }];
  const pages = await readAllPages((NextToken) =>
    call((options) => clients.ec2.send(new DescribeInstancesCommand({ Filters, NextToken }), options), signal),
  );
  return pages.flatMap(({ Reservations = [] }) => Reservations).flatMap(({ Instances = [] }) => Instances);
}

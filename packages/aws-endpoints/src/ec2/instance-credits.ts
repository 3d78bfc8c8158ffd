import type {
  DescribeInstanceCreditSpecificationsRequest,
  DescribeInstanceCreditSpecificationsResult,
  InstanceCreditSpecification,
} from '@aws-sdk/client-ec2';
import { takePage } from '../paging.ts';
import { ec2BadToken } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import { knownInstances } from './instance-operations.ts';
import type { Ec2Instance } from './instance.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';

/** Tells the CPU credits of the instances that are named, or of all that have unlimited ones. */
export function describeInstanceCredits(
  ec2: Ec2,
  request: DescribeInstanceCreditSpecificationsRequest,
): DescribeInstanceCreditSpecificationsResult {
  const { InstanceIds: ids = [] } = request;
  const asked = ids.length === 0 ? ec2.instances.allDescribed() : knownInstances(ec2, ids);
  const written = asked.map((instance) => ({ InstanceId: instance.id, CpuCredits: creditsOf(instance) }));
  const found = applyFilters(
    ids.length === 0 ? written.filter(({ CpuCredits }) => CpuCredits === 'unlimited') : written,
    request.Filters,
    filterableCredits,
  );
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { InstanceCreditSpecifications: [...items], ...(next && { NextToken: next }) };
}

/** T2 begins with standard credits, the later burstable families with unlimited ones; other types have none. */
function creditsOf({ settings }: Ec2Instance): string {
  const [family = ''] = settings.instanceType.split('.');
  if (!/^t\d/.test(family)) return 'standard';
  return settings.details?.CreditSpecification?.CpuCredits ?? (family === 't2' ? 'standard' : 'unlimited');
}

const filterableCredits: Filterable<InstanceCreditSpecification> = {
  records: { write: (credits) => credits, paths: parseRecordPaths('instance-id InstanceId') },
  attributes: {},
};

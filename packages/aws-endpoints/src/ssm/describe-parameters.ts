import type { DescribeParametersRequest, DescribeParametersResult } from '@aws-sdk/client-ssm';
import { byTextOf } from '@nodewright/apis';
import type { AwsAccount } from '../account.ts';
import { takePage } from '../paging.ts';
import type { ParameterStore } from './look-up.ts';
import { checkParameterFilters, passesParameterFilter } from './parameter-filters.ts';
import { ssmBadToken } from './parameter-errors.ts';
import { writeMetadata } from './parameter-on-the-wire.ts';

/** Lists the parameters of the account without their values. Public parameters are not among them, as in AWS. */
export function describeParameters(
  { own, tags, account }: ParameterStore & { readonly account: AwsAccount },
  request: DescribeParametersRequest,
): DescribeParametersResult {
  const older = (request.Filters ?? []).map(({ Key, Values }) => ({ Key, Option: 'BeginsWith', Values }));
  const filters = [...(request.ParameterFilters ?? []), ...older];
  checkParameterFilters(filters, ['Path', 'Name', 'Type', 'KeyId', 'Tier', 'DataType']);
  const found = own
    .all()
    .filter((parameter) => filters.every((filter) => passesParameterFilter(parameter, filter, tags)))
    .toSorted(byTextOf(({ name }) => name));
  const { items, next } = takePage(found, {
    size: request.MaxResults ?? 10,
    token: request.NextToken,
    refuse: ssmBadToken,
  });
  return { Parameters: items.map((each) => writeMetadata(each, account)), ...(next && { NextToken: next }) };
}

import type {
  DescribeParametersRequest,
  DescribeParametersResult,
  ParameterMetadata,
  ParameterStringFilter,
  ParameterType,
} from '@aws-sdk/client-ssm';
import { byTextOf } from '@nodewright/apis';
import { arnOf, iamArnOf, type AwsAccount } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import type { OwnParameter } from './own-parameters.ts';
import { isBelow } from './parameters.ts';

type Described = {
  readonly parameters: readonly OwnParameter[];
  readonly account: AwsAccount;
  readonly refuse: () => AwsError;
};

/** Lists the parameters of the account without their values. Public parameters are not among them, as in AWS. */
export function describeOwnParameters(
  request: DescribeParametersRequest,
  { parameters, account, refuse }: Described,
): DescribeParametersResult {
  const older = (request.Filters ?? []).map(({ Key, Values }) => ({ Key, Option: 'BeginsWith', Values }));
  const filters = [...(request.ParameterFilters ?? []), ...older];
  const found = parameters
    .filter((parameter) => filters.every((filter) => passesParameterFilter(parameter, filter)))
    .toSorted(byTextOf(({ name }) => name));
  const { items, next } = takePage(found, { size: request.MaxResults ?? 10, token: request.NextToken, refuse });
  return { Parameters: items.map((each) => writeMetadata(each, account)), ...(next && { NextToken: next }) };
}

type SentFilter = Pick<ParameterStringFilter, 'Option' | 'Values'> & { readonly Key: string | undefined };

function passesParameterFilter(parameter: OwnParameter, { Key: key, Option: option, Values: values = [] }: SentFilter) {
  if (key === 'Path') return values.some((path) => isBelow(parameter.name, path, option === 'Recursive'));
  const actual = readFilteredValue(parameter, key);
  return values.some((value) => {
    if (option === 'BeginsWith') return actual.startsWith(value);
    return option === 'Contains' ? actual.includes(value) : actual === value;
  });
}

function readFilteredValue({ name, type, dataType }: OwnParameter, key: string | undefined): string {
  switch (key) {
    case 'Name':
      return name;
    case 'Type':
      return type;
    case 'DataType':
      return dataType;
    case 'Tier':
      return 'Standard';
    default:
      throw new AwsError('InvalidFilterKey', `The specified key isn't valid: ${key}`);
  }
}

function writeMetadata({ name, type, dataType, version, modifiedAt }: OwnParameter, account: AwsAccount) {
  const path = name.startsWith('/') ? name : `/${name}`;
  const metadata: ParameterMetadata = {
    Name: name,
    ARN: arnOf(account, 'ssm', `parameter${path}`),
    Type: type as ParameterType,
    DataType: dataType,
    Tier: 'Standard',
    Version: version,
    LastModifiedDate: new Date(modifiedAt),
    LastModifiedUser: iamArnOf(account, 'user/sandbox-admin'),
    Policies: [],
  };
  return metadata;
}

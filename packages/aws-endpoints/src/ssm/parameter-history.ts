import type {
  GetParameterHistoryRequest,
  GetParameterHistoryResult,
  ParameterHistory,
  ParameterType,
} from '@aws-sdk/client-ssm';
import { iamArnOf, type AwsAccount } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import type { OwnParameter, OwnParameters } from './own-parameters.ts';

/** The versions of a parameter of the account, the oldest first. Public parameters have none. */
export function readParameterHistory(
  { own, account }: { readonly own: OwnParameters; readonly account: AwsAccount },
  { Name: name = '', MaxResults, NextToken }: GetParameterHistoryRequest,
): GetParameterHistoryResult {
  const versions = own.history(name);
  if (versions === undefined) throw new AwsError('ParameterNotFound', '');
  const { items, next } = takePage(versions, {
    size: MaxResults ?? 50,
    token: NextToken,
    refuse: () => new AwsError('InvalidNextToken', 'The specified token is not valid.'),
  });
  return { Parameters: items.map((each) => writeVersion(each, account)), ...(next && { NextToken: next }) };
}

const writeVersion = (parameter: OwnParameter, account: AwsAccount): ParameterHistory => ({
  Name: parameter.name,
  Type: parameter.type as ParameterType,
  LastModifiedDate: new Date(parameter.modifiedAt),
  LastModifiedUser: iamArnOf(account, 'user/sandbox-admin'),
  Value: parameter.value,
  Version: parameter.version,
  Labels: [],
  Tier: 'Standard',
  Policies: [],
  DataType: parameter.dataType,
});

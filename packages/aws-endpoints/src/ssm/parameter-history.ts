import type { GetParameterHistoryRequest, GetParameterHistoryResult } from '@aws-sdk/client-ssm';
import type { AwsAccount } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { ssmBadToken } from './parameter-errors.ts';
import type { OwnParameters } from './own-parameters.ts';
import { writeVersion } from './parameter-on-the-wire.ts';

/** The versions of a parameter of the account, the oldest first. Public parameters have none. */
export function readParameterHistory(
  { own, account }: { readonly own: OwnParameters; readonly account: AwsAccount },
  { Name: name = '', MaxResults, NextToken, WithDecryption: isDecrypted = false }: GetParameterHistoryRequest,
): GetParameterHistoryResult {
  const versions = own.history(name);
  if (versions === undefined) throw new AwsError('ParameterNotFound', '');
  const { items, next } = takePage(versions, {
    size: MaxResults ?? 50,
    token: NextToken,
    refuse: ssmBadToken,
  });
  return {
    Parameters: items.map((each) => writeVersion(each, { account, isDecrypted })),
    ...(next && { NextToken: next }),
  };
}

import { GetCallerIdentity$, type GetCallerIdentityResponse } from '@aws-sdk/client-sts';
import { iamArnOf, type AwsAccount } from '../account.ts';
import { queryProtocol } from '../codec/query-protocol.ts';
import { defineOperation, type AwsService } from '../service.ts';

/** Every signer is the administrator of the account. */
export const stsService = ({ account }: { readonly account: AwsAccount }): AwsService => ({
  name: 'sts',
  protocol: queryProtocol({ dialect: 'awsQuery', namespace: 'https://sts.amazonaws.com/doc/2011-06-15/' }),
  commonErrors: {
    throttling: { code: 'Throttling', status: 400 },
    accessDenied: { code: 'AccessDenied', status: 403 },
  },
  operations: [
    defineOperation(GetCallerIdentity$, (): GetCallerIdentityResponse => ({
      UserId: 'AIDASANDBOXADMIN00001',
      Account: account.id,
      Arn: iamArnOf(account, 'user/sandbox-admin'),
    })),
  ],
});

import { GetCallerIdentity$, type GetCallerIdentityResponse } from '@aws-sdk/client-sts';
import { iamArnOf, type Account } from '../account.ts';
import { queryProtocol } from '../codec/query-protocol.ts';
import { operation, type Service } from '../service.ts';

/** Whoever signs is the account's administrator. */
export const stsService = ({ account }: { readonly account: Account }): Service => ({
  name: 'sts',
  protocol: queryProtocol({ dialect: 'awsQuery', namespace: 'https://sts.amazonaws.com/doc/2011-06-15/' }),
  operations: [
    operation(GetCallerIdentity$, (): GetCallerIdentityResponse => ({
      UserId: 'AIDASANDBOXADMIN00001',
      Account: account.id,
      Arn: iamArnOf(account, 'user/sandbox-admin'),
    })),
  ],
});

import {
  AssumeRole$,
  type AssumeRoleRequest,
  AssumeRoleWithWebIdentity$,
  type AssumeRoleWithWebIdentityRequest,
  GetCallerIdentity$,
  type GetCallerIdentityResponse,
} from '@aws-sdk/client-sts';
import { AwsError } from '../codec/aws-error.ts';
import { queryProtocol } from '../codec/query-protocol.ts';
import { compileConstraints } from '../limits/constraint-checks.ts';
import { describeViolations } from '../limits/violation-words.ts';
import { type AwsCaller, defineOperation, type AwsService } from '../service.ts';
import { assumeRole, assumeRoleWithWebIdentity, type AssumeRoleWorld } from './assume-role.ts';
import { describeCaller, type StsCaller } from './callers.ts';
import { stsConstraintsJson } from './input-constraints.generated.ts';

/** Signers are the administrator of the account, a user, or a session of a role. */
export const stsService = (world: AssumeRoleWorld): AwsService => ({
  name: 'sts',
  protocol: queryProtocol({ dialect: 'awsQuery', namespace: 'https://sts.amazonaws.com/doc/2011-06-15/' }),
  commonErrors: {
    throttling: { code: 'Throttling', status: 400 },
    accessDenied: { code: 'AccessDenied', status: 403 },
  },
  constraints: {
    listViolations: compileConstraints(stsConstraintsJson),
    refuse: (violations) => new AwsError('ValidationError', describeViolations(violations)),
  },
  operations: [
    defineOperation(AssumeRole$, (request: AssumeRoleRequest, caller) =>
      assumeRole(world, request, findStsCaller(world, caller)),
    ),
    defineOperation(AssumeRoleWithWebIdentity$, (request: AssumeRoleWithWebIdentityRequest) =>
      assumeRoleWithWebIdentity(world, request),
    ),
    defineOperation(GetCallerIdentity$, (_request: object, caller): GetCallerIdentityResponse => {
      const { id, arn } = describeCaller(world.account, findStsCaller(world, caller));
      return { UserId: id, Account: world.account.id, Arn: arn };
    }),
  ],
});

const findStsCaller = ({ sessions, findUserKey }: AssumeRoleWorld, { accessKeyId }: AwsCaller): StsCaller =>
  accessKeyId === undefined ? undefined : (sessions.find(accessKeyId) ?? findUserKey(accessKeyId));

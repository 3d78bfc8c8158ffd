import {
  AssumeRole$,
  type AssumeRoleRequest,
  type AssumeRoleResponse,
  type Credentials,
  GetCallerIdentity$,
  type GetCallerIdentityResponse,
} from '@aws-sdk/client-sts';
import { seconds } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { iamArnOf, type AwsAccount } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { queryProtocol } from '../codec/query-protocol.ts';
import type { Iam, Role } from '../iam/model.ts';
import { compileConstraints } from '../limits/constraint-checks.ts';
import { describeViolations } from '../limits/violation-words.ts';
import { defineOperation, type AwsService } from '../service.ts';
import type { AccessKey } from '../signature/access-key.ts';
import { stsConstraintsJson } from './input-constraints.generated.ts';

type StsDeps = {
  readonly account: AwsAccount;
  readonly iam: Pick<Iam, 'roles'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The key of the administrator. */
  readonly accessKey: AccessKey | undefined;
};

/** Every signer is the administrator of the account, also with the credentials of a role. */
export const stsService = (deps: StsDeps): AwsService => ({
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
    defineOperation(AssumeRole$, (request: AssumeRoleRequest) => assumeRole(deps, request)),
    defineOperation(GetCallerIdentity$, (): GetCallerIdentityResponse => ({
      UserId: 'AIDASANDBOXADMIN00001',
      Account: deps.account.id,
      Arn: iamArnOf(deps.account, 'user/sandbox-admin'),
    })),
  ],
});

function assumeRole(deps: StsDeps, request: AssumeRoleRequest): AssumeRoleResponse {
  const { RoleArn: arn = '', RoleSessionName: session = '' } = request;
  const role = findAssumedRole(deps, arn);
  return { Credentials: lendCredentials(deps, request), AssumedRoleUser: writeAssumedUser(deps, role, session) };
}

function findAssumedRole({ iam, account }: StsDeps, arn: string): Role {
  const role = iam.roles().find((each) => each.arn === arn);
  if (role !== undefined) return role;
  throw new AwsError(
    'AccessDenied',
    `User: ${iamArnOf(account, 'user/sandbox-admin')} is not authorized to perform: sts:AssumeRole on resource: ${arn}`,
    { status: 403 },
  );
}

/**
 * Lends the key of the administrator, who is the only one that can ask: AssumeRole is signed. AssumeRoleWithWebIdentity is
 * not, and is not served.
 */
function lendCredentials(
  { clock, accessKey }: StsDeps,
  { DurationSeconds: duration = 3600 }: { readonly DurationSeconds?: number | undefined },
): Credentials {
  return {
    AccessKeyId: accessKey?.accessKeyId ?? 'ASIASANDBOX0000000001',
    SecretAccessKey: accessKey?.secretAccessKey ?? 'sandbox',
    SessionToken: 'sandbox-session',
    Expiration: new Date(clock.now() + seconds(duration)),
  };
}

const writeAssumedUser = ({ account }: StsDeps, { id, name }: Role, session: string) => ({
  AssumedRoleId: `${id}:${session}`,
  Arn: iamArnOf(account, `assumed-role/${name}/${session}`).replace(':iam:', ':sts:'),
});

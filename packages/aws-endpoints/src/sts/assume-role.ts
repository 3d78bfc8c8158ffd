import type {
  AssumeRoleRequest,
  AssumeRoleResponse,
  AssumeRoleWithWebIdentityRequest,
  AssumeRoleWithWebIdentityResponse,
  Credentials,
} from '@aws-sdk/client-sts';
import type { Clock } from '@nodewright/runtime';
import type { AwsAccount } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import type { Iam, Role } from '../iam/model.ts';
import type { UserCaller } from '../iam/users.ts';
import { describeSession, namesOfCaller, type StsCaller } from './callers.ts';
import { evaluateTrust, type TrustDemand } from './evaluate-trust.ts';
import type { RoleSession, Sessions } from './sessions.ts';
import { checkWebIdentity, type ReadWebIdentity } from './web-identity.ts';

/** Finds the user of any account who has an active key. */
export type FindUserKey = (accessKeyId: string) => UserCaller | undefined;

/** Finds a role of any account by its ARN. */
export type FindRole = (arn: string) => Role | undefined;

export type AssumeRoleWorld = {
  readonly account: AwsAccount;
  readonly iam: Pick<Iam, 'oidcProviders'>;
  readonly findRole: FindRole;
  readonly sessions: Sessions;
  readonly findUserKey: FindUserKey;
  /** The time of the cluster, by which its tokens expire. */
  readonly clock: Pick<Clock, 'now'>;
  readonly readWebIdentity: ReadWebIdentity;
};

/** Takes a role with signed credentials. @throws AwsError when the trust policy of the role does not let the caller */
export function assumeRole(world: AssumeRoleWorld, request: AssumeRoleRequest, caller: StsCaller): AssumeRoleResponse {
  const { RoleArn: arn = '', RoleSessionName: name = '', DurationSeconds: duration = 3600 } = request;
  const names = namesOfCaller(world.account, caller);
  const role = findTrustingRole(world, arn, {
    action: 'sts:AssumeRole',
    principal: { kind: 'AWS', names },
    context: new Map(request.ExternalId === undefined ? [] : [['sts:externalid', [request.ExternalId]]]),
  });
  if (role === undefined) {
    const message = `User: ${names[0]} is not authorized to perform: sts:AssumeRole on resource: ${arn}`;
    throw new AwsError('AccessDenied', message, { status: 403 });
  }
  const session = world.sessions.open(role, name, duration);
  return { Credentials: writeCredentials(session), AssumedRoleUser: writeAssumedUser(world.account, session) };
}

/** Takes a role with a token that an identity provider of the account signed, such as that of a service account. */
export function assumeRoleWithWebIdentity(
  world: AssumeRoleWorld,
  request: AssumeRoleWithWebIdentityRequest,
): AssumeRoleWithWebIdentityResponse {
  const { RoleArn: arn = '', RoleSessionName: name = '', WebIdentityToken: token = '' } = request;
  const { account, iam, clock } = world;
  const identity = checkWebIdentity(world.readWebIdentity(token), {
    account,
    providers: iam.oidcProviders,
    now: clock.now(),
  });
  const role = findTrustingRole(world, arn, {
    action: 'sts:AssumeRoleWithWebIdentity',
    principal: { kind: 'Federated', names: [identity.providerArn] },
    context: identity.context,
  });
  if (role === undefined)
    throw new AwsError('AccessDenied', 'Not authorized to perform sts:AssumeRoleWithWebIdentity', { status: 403 });
  const session = world.sessions.open(role, name, request.DurationSeconds ?? 3600);
  return {
    Credentials: writeCredentials(session),
    AssumedRoleUser: writeAssumedUser(account, session),
    SubjectFromWebIdentityToken: identity.subject,
    Audience: identity.audience,
    Provider: identity.providerArn,
  };
}

function findTrustingRole({ findRole }: AssumeRoleWorld, arn: string, demand: TrustDemand): Role | undefined {
  const role = findRole(arn);
  return role && evaluateTrust(role.trust, demand) === 'allowed' ? role : undefined;
}

const writeCredentials = (session: RoleSession): Credentials => ({
  AccessKeyId: session.accessKeyId,
  SecretAccessKey: session.secretAccessKey,
  SessionToken: session.sessionToken,
  Expiration: new Date(session.expiresAt),
});

function writeAssumedUser(account: AwsAccount, session: RoleSession) {
  const { arn, id } = describeSession(account, session);
  return { AssumedRoleId: id, Arn: arn };
}

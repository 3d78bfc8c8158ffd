import { accountIdOfArn, iamArnOf, type AwsAccount } from '../account.ts';
import { administratorId, administratorName, type UserCaller } from '../iam/users.ts';
import type { RoleSession } from './sessions.ts';

/** Who signs: a session of a role, a user, or the administrator of the account. */
export type StsCaller = RoleSession | UserCaller | undefined;

export const isUser = (caller: NonNullable<StsCaller>): caller is UserCaller => 'user' in caller;

type CallerIdentity = { readonly id: string; readonly arn: string };

/** A session as STS and IAM name it. */
export const describeSession = (account: AwsAccount, { role, name }: RoleSession): CallerIdentity => ({
  id: `${role.id}:${name}`,
  arn: iamArnOf({ ...account, id: accountIdOfArn(role.arn) }, `assumed-role/${role.name}/${name}`).replace(
    ':iam:',
    ':sts:',
  ),
});

export function describeCaller(account: AwsAccount, caller: StsCaller): CallerIdentity {
  if (caller === undefined) return { id: administratorId, arn: iamArnOf(account, `user/${administratorName}`) };
  return isUser(caller) ? caller.user : describeSession(account, caller);
}

/** The names under which a trust policy may mention a caller; its ARN comes first. */
export const namesOfCaller = (account: AwsAccount, caller: StsCaller): readonly string[] => [
  describeCaller(account, caller).arn,
  ...(caller === undefined || isUser(caller) ? [] : [caller.role.arn]),
  iamArnOf(account, 'root'),
  account.id,
];

import { iamArnOf, type AwsAccount } from '../account.ts';
import { fillSessionNames } from './session-names.ts';
import { isUser, type StsCaller } from './callers.ts';
import type { TokenUser } from './token.ts';

/** One line of `mapRoles`: whom the cluster makes of the sessions of a role. */
export type RoleMapping = {
  readonly rolearn: string;
  readonly username: string;
  readonly groups: readonly string[];
};

/** One line of `mapUsers`: whom the cluster makes of a user of IAM. */
export type UserMapping = Omit<RoleMapping, 'rolearn'> & { readonly userarn: string };

/** What the ConfigMap `kube-system/aws-auth` says of callers. */
export type AwsAuthMap = {
  readonly roles: readonly RoleMapping[];
  readonly users: readonly UserMapping[];
  /** Accounts whose principals are users of the cluster under their ARNs, without groups. */
  readonly accounts: readonly string[];
};

/**
 * Whom the ConfigMap makes of a caller.
 *
 * The ARN of a role is compared without its path, which a mapping has to leave out. Case does not matter.
 */
export function findMappedUser(
  map: AwsAuthMap,
  caller: NonNullable<StsCaller>,
  account: AwsAccount,
): TokenUser | undefined {
  const arn = isUser(caller) ? caller.user.arn : iamArnOf(account, `role/${caller.role.name}`);
  const isMeant = (mapped: string): boolean => mapped.toLowerCase() === arn.toLowerCase();
  const mapping = isUser(caller)
    ? map.users.find(({ userarn }) => isMeant(userarn))
    : map.roles.find(({ rolearn }) => isMeant(rolearn));
  if (mapping !== undefined)
    return fillSessionNames({ username: mapping.username || arn, groups: mapping.groups }, caller, account);
  return map.accounts.includes(account.id)
    ? fillSessionNames({ username: arn, groups: [] }, caller, account)
    : undefined;
}

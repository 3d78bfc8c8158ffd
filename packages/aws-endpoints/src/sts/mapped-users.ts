import { iamArnOf, type AwsAccount } from '../account.ts';
import { fillSessionNames } from './session-names.ts';
import type { RoleSession } from './sessions.ts';
import type { TokenUser } from './token.ts';

/** One line of `mapRoles`: whom the cluster makes of the sessions of a role. */
export type RoleMapping = {
  readonly rolearn: string;
  readonly username: string;
  readonly groups: readonly string[];
};

/** What the ConfigMap `kube-system/aws-auth` says of sessions. */
export type AwsAuthMap = {
  readonly roles: readonly RoleMapping[];
  /** Accounts whose principals are users of the cluster under their ARNs, without groups. */
  readonly accounts: readonly string[];
};

/**
 * Whom the ConfigMap makes of a session.
 *
 * The ARN of a role is compared without its path, which a mapping has to leave out, and without regard to case.
 */
export function findMappedUser(map: AwsAuthMap, session: RoleSession, account: AwsAccount): TokenUser | undefined {
  const arn = iamArnOf(account, `role/${session.role.name}`);
  const mapping = map.roles.find(({ rolearn }) => rolearn.toLowerCase() === arn.toLowerCase());
  if (mapping !== undefined)
    return fillSessionNames({ username: mapping.username || arn, groups: mapping.groups }, session, account);
  return map.accounts.includes(account.id)
    ? fillSessionNames({ username: arn, groups: [] }, session, account)
    : undefined;
}

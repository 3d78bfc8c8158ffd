import { iamArnOf } from '../account.ts';
import { accessPolicyRoles } from '../eks/access-policies.ts';
import { accessEntryKey, type KeptAccessEntry } from '../eks/access-entry.ts';
import type { Eks } from '../eks/model.ts';
import { memberRole } from '../iam/member-role.ts';
import { type AwsAuthMap, findMappedUser } from './mapped-users.ts';
import { fillSessionNames } from './session-names.ts';
import { isUser, type StsCaller } from './callers.ts';
import { clusterAdministrator, type TokenUser } from './token.ts';

type AccessWorld = Pick<Eks, 'account' | 'clusterName' | 'accessEntries'> & {
  readonly clusters: { find(name: string): { readonly authenticationMode: string } | undefined };
  /** Reads the ConfigMap `kube-system/aws-auth` of the cluster. */
  readonly readAwsAuth: () => AwsAuthMap | undefined;
};

/**
 * Whom a cluster makes of a session or a user of IAM. By its authentication mode it looks at its access entries, at the
 * ConfigMap, or at both; then an entry comes first. Entries of nodes give a session no user. The role by which an
 * organization manages an account is the administrator of its clusters, as their creator.
 */
export function findAccessUser(world: AccessWorld, caller: StsCaller): TokenUser | undefined {
  if (caller === undefined) return undefined;
  const { arn } = isUser(caller) ? caller.user : caller.role;
  const { account, clusterName, clusters, accessEntries } = world;
  if (arn === iamArnOf(account, `role/${memberRole}`)) return clusterAdministrator;
  const mode = clusters.find(clusterName)?.authenticationMode;
  const entry = mode === 'CONFIG_MAP' ? undefined : accessEntries.get(accessEntryKey(clusterName, arn));
  if (entry !== undefined) return entry.type === 'STANDARD' ? userOfEntry(entry, caller, account) : undefined;
  const map = mode === 'API' ? undefined : world.readAwsAuth();
  return map && findMappedUser(map, caller, account);
}

const userOfEntry = (
  entry: KeptAccessEntry,
  caller: NonNullable<StsCaller>,
  account: AccessWorld['account'],
): TokenUser => ({
  ...fillSessionNames(entry, caller, account),
  grants: entry.policies.flatMap(({ policyArn, scope }) => {
    const clusterRole = accessPolicyRoles.get(policyArn.split('/').at(-1) ?? '');
    if (clusterRole === undefined) return [];
    return [{ clusterRole, ...(scope.type === 'namespace' && { namespaces: scope.namespaces ?? [] }) }];
  }),
});

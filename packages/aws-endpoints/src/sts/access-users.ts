import { readOwn } from '@nodewright/apis';
import type { RoleSession } from './sessions.ts';
import type { TokenUser } from './token.ts';
import { accessPolicyRoles } from '../eks/access-policies.ts';
import { accessEntryKey, type KeptAccessEntry } from '../eks/access-entry.ts';
import type { Eks } from '../eks/model.ts';

/** Whom the access entries of the hosted cluster make of a session. Entries of nodes make nobody of it. */
export function findAccessUser(
  { account, clusterName, accessEntries }: Pick<Eks, 'account' | 'clusterName' | 'accessEntries'>,
  session: RoleSession | undefined,
): TokenUser | undefined {
  if (session === undefined) return undefined;
  const entry = accessEntries.get(accessEntryKey(clusterName, session.role.arn));
  return entry?.type === 'STANDARD' ? userOfEntry(entry, session, account.id) : undefined;
}

function userOfEntry(entry: KeptAccessEntry, session: RoleSession, accountId: string): TokenUser {
  const { name, role, accessKeyId } = session;
  const fill = { AccountID: accountId, SessionName: name.replaceAll('@', '-'), SessionNameRaw: name };
  return {
    username: entry.username.replaceAll(/\{\{(\w+)\}\}/g, (text, key: string) => readOwn(fill, key) ?? text),
    groups: [...entry.groups, 'system:authenticated'],
    extra: { accessKeyId: [accessKeyId], canonicalArn: [role.arn], principalId: [role.id], sessionName: [name] },
    grants: entry.policies.flatMap(({ policyArn, scope }) => {
      const clusterRole = accessPolicyRoles.get(policyArn.split('/').at(-1) ?? '');
      if (clusterRole === undefined) return [];
      return [{ clusterRole, ...(scope.type === 'namespace' && { namespaces: scope.namespaces ?? [] }) }];
    }),
  };
}

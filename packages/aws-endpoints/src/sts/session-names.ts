import { readOwn } from '@nodewright/apis';
import type { AwsAccount } from '../account.ts';
import type { RoleSession } from './sessions.ts';
import type { TokenUser } from './token.ts';

/** The user of a session, with the names of the session in place of `{{SessionName}}` and the like. */
export function fillSessionNames(
  { username, groups }: Pick<TokenUser, 'username' | 'groups'>,
  { name, role, accessKeyId }: RoleSession,
  account: Pick<AwsAccount, 'id'>,
): TokenUser {
  const names = {
    AccountID: account.id,
    AccessKeyID: accessKeyId,
    SessionName: name.replaceAll('@', '-'),
    SessionNameRaw: name,
  };
  const fill = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (whole, key: string) => readOwn(names, key) ?? whole);
  return {
    username: fill(username),
    groups: [...groups.map(fill), 'system:authenticated'],
    extra: { accessKeyId: [accessKeyId], canonicalArn: [role.arn], principalId: [role.id], sessionName: [name] },
  };
}

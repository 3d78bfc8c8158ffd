import { readOwn } from '@nodewright/apis';
import type { AwsAccount } from '../account.ts';
import { isUser, type StsCaller } from './callers.ts';
import type { TokenUser } from './token.ts';

/** The user of a caller, with the names of its session in place of `{{SessionName}}` and the like. Users have no session. */
export function fillSessionNames(
  { username, groups }: Pick<TokenUser, 'username' | 'groups'>,
  caller: NonNullable<StsCaller>,
  account: Pick<AwsAccount, 'id'>,
): TokenUser {
  const { accessKeyId } = caller;
  const [principal, name] = isUser(caller) ? [caller.user, ''] : [caller.role, caller.name];
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
    extra: {
      accessKeyId: [accessKeyId],
      canonicalArn: [principal.arn],
      principalId: [principal.id],
      sessionName: [name],
    },
  };
}

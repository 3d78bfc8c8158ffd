import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { findAccessUser } from './access-users.ts';
import { type AwsAuthMap, findMappedUser } from './mapped-users.ts';
import type { RoleSession } from './sessions.ts';

const account = { id: '111122223333', region: 'us-east-1' };
const session: RoleSession = {
  role: { name: 'Dev', id: 'AROADEV', arn: 'arn:aws:iam::111122223333:role/teams/Dev' },
  name: 'ann@example.com',
  accessKeyId: 'ASIA1',
  secretAccessKey: 's',
  sessionToken: 't',
  expiresAt: instant(0),
};
const rolearn = 'arn:aws:iam::111122223333:role/Dev';
const mapOf = (mapping: object): AwsAuthMap => ({
  roles: [{ rolearn, username: 'dev', groups: ['devs'], ...mapping }],
  users: [],
  accounts: [],
});

for (const { fact, map, user } of [
  { fact: 'maps a role without its path', map: mapOf({}), user: ['dev', 'devs', 'system:authenticated'] },
  {
    fact: 'compares ARNs without regard to case',
    map: mapOf({ rolearn: rolearn.toLowerCase() }),
    user: ['dev', 'devs', 'system:authenticated'],
  },
  { fact: 'does not know a role with its path', map: mapOf({ rolearn: session.role.arn }), user: [undefined] },
  {
    fact: 'fills in the names of a session',
    map: mapOf({ username: 'dev:{{SessionName}}:{{AccountID}}', groups: ['{{SessionNameRaw}}'] }),
    user: ['dev:ann-example.com:111122223333', 'ann@example.com', 'system:authenticated'],
  },
  {
    fact: 'names a role after its ARN without a user name',
    map: mapOf({ username: '' }),
    user: [rolearn, 'devs', 'system:authenticated'],
  },
  {
    fact: 'takes a whole account',
    map: { roles: [], users: [], accounts: [account.id] },
    user: [rolearn, 'system:authenticated'],
  },
]) {
  test(`the ConfigMap aws-auth ${fact}`, () => {
    const found = findMappedUser(map, session, account);
    expect([found?.username, ...(found?.groups ?? [])]).toEqual(user);
  });
}

const entryOf = (type: string) => ({
  clusterName: 'c',
  principalArn: session.role.arn,
  groups: [],
  username: 'entry',
  type,
  tags: {},
  createdAt: '',
  modifiedAt: '',
  policies: [],
});

for (const { mode, type, username } of [
  { mode: 'CONFIG_MAP', type: 'STANDARD', username: 'dev' },
  { mode: 'API_AND_CONFIG_MAP', type: 'STANDARD', username: 'entry' },
  { mode: 'API_AND_CONFIG_MAP', type: undefined, username: 'dev' },
  { mode: 'API', type: 'STANDARD', username: 'entry' },
  { mode: 'API', type: undefined, username: undefined },
]) {
  test(`with the mode ${mode} and ${type === undefined ? 'no entry' : 'an entry'}, a session is ${username}`, () => {
    const entries = type === undefined ? [] : [[JSON.stringify(['c', session.role.arn]), entryOf(type)] as const];
    const world = {
      account,
      clusterName: 'c',
      clusters: { find: () => ({ authenticationMode: mode }) },
      accessEntries: new Map(entries),
      readAwsAuth: () => mapOf({}),
    };
    expect(findAccessUser(world, session)?.username).toBe(username);
  });
}

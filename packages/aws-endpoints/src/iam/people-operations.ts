import type {
  GetUserRequest,
  GetUserResponse,
  ListAccountAliasesResponse,
  ListUsersResponse,
  User,
} from '@aws-sdk/client-iam';
import type { Iam } from './model.ts';
import { noSuchIamUser } from './errors.ts';

/** The only user of the account: the one whose key the sandbox exports. */
export const administratorId = 'AIDASANDBOXADMIN00001';
export const administratorName = 'sandbox-admin';

const describeAdministrator = (iam: Iam): User => ({
  Path: '/',
  UserName: administratorName,
  UserId: administratorId,
  Arn: iam.arnOf(`user/${administratorName}`),
  CreateDate: new Date('2018-06-05T00:00:00Z'),
});

/** Without a name, the caller. */
export function getUser(iam: Iam, { UserName: name = administratorName }: GetUserRequest): GetUserResponse {
  if (name !== administratorName) throw noSuchIamUser(name);
  return { User: describeAdministrator(iam) };
}

export const listUsers = (iam: Iam): ListUsersResponse => ({ Users: [describeAdministrator(iam)], IsTruncated: false });

export const listAccountAliases = (): ListAccountAliasesResponse => ({ AccountAliases: [], IsTruncated: false });

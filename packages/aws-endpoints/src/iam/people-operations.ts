import type {
  CreateUserRequest,
  CreateUserResponse,
  DeleteUserRequest,
  GetUserRequest,
  GetUserResponse,
  ListAccountAliasesResponse,
  ListGroupsForUserRequest,
  ListGroupsForUserResponse,
  ListUserTagsRequest,
  ListUserTagsResponse,
  ListUsersRequest,
  ListUsersResponse,
  TagUserRequest,
  UntagUserRequest,
  UpdateUserRequest,
  User,
} from '@aws-sdk/client-iam';
import { takePage } from '../paging.ts';
import type { AwsCaller } from '../service.ts';
import { badMarker, deleteConflict } from './errors.ts';
import { readIamTags, writeIamTags } from './iam-tags.ts';
import type { Iam } from './model.ts';
import { nameOfCaller } from './calling-user.ts';
import type { IamUser } from './users.ts';

export function createUser(iam: Iam, request: CreateUserRequest): CreateUserResponse {
  const { UserName: name = '', Path: path = '/', Tags, PermissionsBoundary: boundary } = request;
  const tags = readIamTags(Tags);
  return { User: writeUser(iam.users.create({ name, path, tags, ...(boundary !== undefined && { boundary }) })) };
}

/** Without a name, the caller. */
export const getUser = (iam: Iam, { UserName }: GetUserRequest, caller: AwsCaller): GetUserResponse => ({
  User: writeUser(iam.users.get(UserName ?? nameOfCaller(iam, caller))),
});

export function listUsers(iam: Iam, { PathPrefix = '/', MaxItems, Marker }: ListUsersRequest): ListUsersResponse {
  const below = iam.users.all().filter(({ path }) => path.startsWith(PathPrefix));
  const { items, next } = takePage(below, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return { Users: items.map(writeListedUser), IsTruncated: next !== undefined, ...(next && { Marker: next }) };
}

/** A list of users tells neither tags nor boundaries. */
function writeListedUser(user: IamUser): User {
  const { Tags: _tags, PermissionsBoundary: _boundary, ...listed } = writeUser(user);
  return listed;
}

const writeUser = (user: IamUser): User => ({
  Path: user.path,
  UserName: user.name,
  UserId: user.id,
  Arn: user.arn,
  CreateDate: new Date(user.createdAt),
  ...(user.boundary !== undefined && {
    PermissionsBoundary: {
      PermissionsBoundaryType: 'PermissionsBoundaryPolicy' as const,
      PermissionsBoundaryArn: user.boundary,
    },
  }),
  ...(Object.keys(user.tags).length > 0 && { Tags: writeIamTags(user.tags) }),
});

export function updateUser(iam: Iam, request: UpdateUserRequest): object {
  const { UserName = '', NewUserName, NewPath } = request;
  const { name, path } = iam.users.getChangeable(UserName);
  iam.users.rename(UserName, { name: NewUserName ?? name, path: NewPath ?? path });
  return {};
}

/** @throws AwsError for a user that still has keys or policies */
export function deleteUser(iam: Iam, { UserName = '' }: DeleteUserRequest): object {
  const { keys, policies = {}, attached = [] } = iam.users.getChangeable(UserName);
  if (keys.length > 0) throw deleteConflict('Cannot delete entity, must delete access keys first.');
  if (attached.length > 0) throw deleteConflict('Cannot delete entity, must detach all policies first.');
  if (Object.keys(policies).length > 0) throw deleteConflict('Cannot delete entity, must delete policies first.');
  iam.users.delete(UserName);
  return {};
}

export function tagUser(iam: Iam, { UserName = '', Tags }: TagUserRequest): object {
  const { tags } = iam.users.getChangeable(UserName);
  iam.users.change(UserName, { tags: { ...tags, ...readIamTags(Tags) } });
  return {};
}

export function untagUser(iam: Iam, { UserName = '', TagKeys: keys = [] }: UntagUserRequest): object {
  const { tags } = iam.users.getChangeable(UserName);
  const left = Object.entries(tags).filter(([key]) => !keys.includes(key));
  iam.users.change(UserName, { tags: Object.fromEntries(left) });
  return {};
}

export function listUserTags(iam: Iam, { UserName = '', MaxItems, Marker }: ListUserTagsRequest): ListUserTagsResponse {
  const tags = writeIamTags(iam.users.get(UserName).tags);
  const { items, next } = takePage(tags, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return { Tags: [...items], IsTruncated: next !== undefined, ...(next && { Marker: next }) };
}

/** There are no groups of users. */
export function listGroupsForUser(iam: Iam, { UserName = '' }: ListGroupsForUserRequest): ListGroupsForUserResponse {
  iam.users.get(UserName);
  return { Groups: [], IsTruncated: false };
}

export const listAccountAliases = (): ListAccountAliasesResponse => ({ AccountAliases: [], IsTruncated: false });

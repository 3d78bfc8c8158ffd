import {
  AddRoleToInstanceProfile$,
  CreateInstanceProfile$,
  DeleteInstanceProfile$,
  GetInstanceProfile$,
  GetRole$,
  ListInstanceProfiles$,
  ListInstanceProfilesForRole$,
  ListInstanceProfileTags$,
  ListRoles$,
  RemoveRoleFromInstanceProfile$,
  TagInstanceProfile$,
  type AddRoleToInstanceProfileRequest,
  type CreateInstanceProfileRequest,
  type CreateInstanceProfileResponse,
  type DeleteInstanceProfileRequest,
  type GetInstanceProfileRequest,
  type GetInstanceProfileResponse,
  type GetRoleRequest,
  type GetRoleResponse,
  type InstanceProfile as WireProfile,
  type ListInstanceProfilesForRoleRequest,
  type ListInstanceProfilesRequest,
  type ListInstanceProfilesResponse,
  type ListInstanceProfileTagsRequest,
  type ListInstanceProfileTagsResponse,
  type ListRolesRequest,
  type ListRolesResponse,
  type RemoveRoleFromInstanceProfileRequest,
  type Role as WireRole,
  type Tag,
  type TagInstanceProfileRequest,
} from '@aws-sdk/client-iam';
import { queryProtocol } from '../codec/query-protocol.ts';
import { pageOf } from '../paging.ts';
import { operation, type Service } from '../service.ts';
import { badMarker } from './errors.ts';
import type { Iam, InstanceProfile, Role } from './model.ts';

export const iamService = (iam: Iam): Service => ({
  name: 'iam',
  protocol: queryProtocol({ dialect: 'awsQuery', namespace: 'https://iam.amazonaws.com/doc/2010-05-08/' }),
  operations: [
    operation(GetRole$, (request: GetRoleRequest) => getRole(iam, request)),
    operation(ListRoles$, (request: ListRolesRequest) => listRoles(iam, request)),
    operation(CreateInstanceProfile$, (request: CreateInstanceProfileRequest) => createProfile(iam, request)),
    operation(GetInstanceProfile$, (request: GetInstanceProfileRequest) => getProfile(iam, request)),
    operation(ListInstanceProfiles$, (request: ListInstanceProfilesRequest) => listProfiles(iam, request)),
    operation(ListInstanceProfilesForRole$, (request: ListInstanceProfilesForRoleRequest) => listForRole(iam, request)),
    operation(ListInstanceProfileTags$, (request: ListInstanceProfileTagsRequest) => listTags(iam, request)),
    operation(AddRoleToInstanceProfile$, (request: AddRoleToInstanceProfileRequest) =>
      done(() => iam.addRole(request.InstanceProfileName ?? '', request.RoleName ?? '')),
    ),
    operation(RemoveRoleFromInstanceProfile$, (request: RemoveRoleFromInstanceProfileRequest) =>
      done(() => iam.removeRole(request.InstanceProfileName ?? '', request.RoleName ?? '')),
    ),
    operation(TagInstanceProfile$, (request: TagInstanceProfileRequest) =>
      done(() => iam.tagProfile(request.InstanceProfileName ?? '', tagSet(request.Tags))),
    ),
    operation(DeleteInstanceProfile$, (request: DeleteInstanceProfileRequest) =>
      done(() => iam.deleteProfile(request.InstanceProfileName ?? '')),
    ),
  ],
});

function done(work: () => void): object {
  work();
  return {};
}

const getRole = (iam: Iam, { RoleName = '' }: GetRoleRequest): GetRoleResponse => ({
  Role: roleOnTheWire(iam.role(RoleName)),
});

function listRoles(iam: Iam, { PathPrefix = '/', MaxItems, Marker }: ListRolesRequest): ListRolesResponse {
  const below = iam.roles().filter(({ path }) => path.startsWith(PathPrefix));
  const { items, next } = pageOf(below, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return { Roles: items.map(roleOnTheWire), IsTruncated: next !== undefined, ...(next && { Marker: next }) };
}

function createProfile(iam: Iam, request: CreateInstanceProfileRequest): CreateInstanceProfileResponse {
  const { InstanceProfileName: name = '', Path: path = '/', Tags } = request;
  return { InstanceProfile: profileOnTheWire(iam, iam.createProfile({ name, path, tags: tagSet(Tags) })) };
}

const getProfile = (iam: Iam, request: GetInstanceProfileRequest): GetInstanceProfileResponse => ({
  InstanceProfile: profileOnTheWire(iam, iam.profile(request.InstanceProfileName ?? '')),
});

function listProfiles(iam: Iam, request: ListInstanceProfilesRequest): ListInstanceProfilesResponse {
  const { PathPrefix = '/', MaxItems, Marker } = request;
  return profilesPage(
    iam,
    iam.profiles().filter(({ path }) => path.startsWith(PathPrefix)),
    { MaxItems, Marker },
  );
}

function listForRole(iam: Iam, request: ListInstanceProfilesForRoleRequest): ListInstanceProfilesResponse {
  const { name } = iam.role(request.RoleName ?? '');
  return profilesPage(
    iam,
    iam.profiles().filter(({ roleName }) => roleName === name),
    request,
  );
}

type Paging = { readonly MaxItems?: number | undefined; readonly Marker?: string | undefined };

function profilesPage(
  iam: Iam,
  all: readonly InstanceProfile[],
  { MaxItems, Marker }: Paging,
): ListInstanceProfilesResponse {
  const { items, next } = pageOf(all, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return {
    InstanceProfiles: items.map((profile) => profileOnTheWire(iam, profile)),
    IsTruncated: next !== undefined,
    ...(next && { Marker: next }),
  };
}

const listTags = (iam: Iam, request: ListInstanceProfileTagsRequest): ListInstanceProfileTagsResponse => ({
  Tags: tagList(iam.profile(request.InstanceProfileName ?? '').tags),
  IsTruncated: false,
});

const roleOnTheWire = (role: Role): WireRole => ({
  RoleName: role.name,
  RoleId: role.id,
  Arn: role.arn,
  Path: role.path,
  CreateDate: new Date(role.createdAt),
  AssumeRolePolicyDocument: encodeURIComponent(role.trust),
  MaxSessionDuration: 3600,
});

const profileOnTheWire = (iam: Iam, profile: InstanceProfile): WireProfile => ({
  InstanceProfileName: profile.name,
  InstanceProfileId: profile.id,
  Arn: profile.arn,
  Path: profile.path,
  CreateDate: new Date(profile.createdAt),
  Roles: profile.roleName === undefined ? [] : [roleOnTheWire(iam.role(profile.roleName))],
  Tags: tagList(profile.tags),
});

const tagSet = (tags: readonly Tag[] = []): Readonly<Record<string, string>> =>
  Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value]));

const tagList = (tags: Readonly<Record<string, string>>): Tag[] =>
  Object.entries(tags)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([Key, Value]) => ({ Key, Value }));

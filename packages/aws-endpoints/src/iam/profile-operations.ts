import type {
  AddRoleToInstanceProfileRequest,
  CreateInstanceProfileRequest,
  CreateInstanceProfileResponse,
  DeleteInstanceProfileRequest,
  GetInstanceProfileRequest,
  GetInstanceProfileResponse,
  InstanceProfile as WireProfile,
  ListInstanceProfilesForRoleRequest,
  ListInstanceProfilesRequest,
  ListInstanceProfilesResponse,
  ListInstanceProfileTagsRequest,
  ListInstanceProfileTagsResponse,
  RemoveRoleFromInstanceProfileRequest,
  TagInstanceProfileRequest,
} from '@aws-sdk/client-iam';
import { takePage } from '../paging.ts';
import { badMarker } from './errors.ts';
import { readIamTags, writeIamTags } from './iam-tags.ts';
import type { Iam, InstanceProfile } from './model.ts';
import { roleOnTheWire } from './role-operations.ts';

export function createProfile(iam: Iam, request: CreateInstanceProfileRequest): CreateInstanceProfileResponse {
  const { InstanceProfileName: name = '', Path: path = '/', Tags } = request;
  return { InstanceProfile: profileOnTheWire(iam, iam.createProfile({ name, path, tags: readIamTags(Tags) })) };
}

export const getProfile = (iam: Iam, request: GetInstanceProfileRequest): GetInstanceProfileResponse => ({
  InstanceProfile: profileOnTheWire(iam, iam.profile(request.InstanceProfileName ?? '')),
});

export function addRole(iam: Iam, request: AddRoleToInstanceProfileRequest): object {
  iam.addRole(request.InstanceProfileName ?? '', request.RoleName ?? '');
  return {};
}

export function removeRole(iam: Iam, request: RemoveRoleFromInstanceProfileRequest): object {
  iam.removeRole(request.InstanceProfileName ?? '', request.RoleName ?? '');
  return {};
}

export function tagProfile(iam: Iam, request: TagInstanceProfileRequest): object {
  iam.tagProfile(request.InstanceProfileName ?? '', readIamTags(request.Tags));
  return {};
}

export function deleteProfile(iam: Iam, request: DeleteInstanceProfileRequest): object {
  iam.deleteProfile(request.InstanceProfileName ?? '');
  return {};
}

export function listProfiles(iam: Iam, request: ListInstanceProfilesRequest): ListInstanceProfilesResponse {
  const { PathPrefix = '/', MaxItems, Marker } = request;
  return profilesPage(
    iam,
    iam.profiles().filter(({ path }) => path.startsWith(PathPrefix)),
    { MaxItems, Marker },
  );
}

export function listProfilesForRole(
  iam: Iam,
  request: ListInstanceProfilesForRoleRequest,
): ListInstanceProfilesResponse {
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
  const { items, next } = takePage(all, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return {
    InstanceProfiles: items.map((profile) => profileOnTheWire(iam, profile)),
    IsTruncated: next !== undefined,
    ...(next && { Marker: next }),
  };
}

export function listProfileTags(
  iam: Iam,
  { InstanceProfileName: name = '', MaxItems, Marker }: ListInstanceProfileTagsRequest,
): ListInstanceProfileTagsResponse {
  const tags = writeIamTags(iam.profile(name).tags);
  const { items, next } = takePage(tags, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return { Tags: [...items], IsTruncated: next !== undefined, ...(next && { Marker: next }) };
}

const profileOnTheWire = (iam: Iam, profile: InstanceProfile): WireProfile => ({
  InstanceProfileName: profile.name,
  InstanceProfileId: profile.id,
  Arn: profile.arn,
  Path: profile.path,
  CreateDate: new Date(profile.createdAt),
  Roles: profile.roleName === undefined ? [] : [roleOnTheWire(iam.role(profile.roleName))],
  Tags: writeIamTags(profile.tags),
});

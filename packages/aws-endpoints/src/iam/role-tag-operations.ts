import type { ListRoleTagsRequest, ListRoleTagsResponse, TagRoleRequest, UntagRoleRequest } from '@aws-sdk/client-iam';
import { takePage } from '../paging.ts';
import { badMarker } from './errors.ts';
import { readIamTags, writeIamTags } from './iam-tags.ts';
import type { Iam } from './model.ts';

export function tagRole(iam: Iam, { RoleName: name = '', Tags }: TagRoleRequest): object {
  iam.changeRole(name, { tags: { ...iam.role(name).tags, ...readIamTags(Tags) } });
  return {};
}

export function untagRole(iam: Iam, { RoleName: name = '', TagKeys: keys = [] }: UntagRoleRequest): object {
  const tags = Object.entries(iam.role(name).tags ?? {}).filter(([key]) => !keys.includes(key));
  iam.changeRole(name, { tags: Object.fromEntries(tags) });
  return {};
}

export function listRoleTags(
  iam: Iam,
  { RoleName: name = '', MaxItems, Marker }: ListRoleTagsRequest,
): ListRoleTagsResponse {
  const tags = writeIamTags(iam.role(name).tags ?? {});
  const { items, next } = takePage(tags, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return { Tags: [...items], IsTruncated: next !== undefined, ...(next && { Marker: next }) };
}

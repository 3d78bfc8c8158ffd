import type {
  ListEntitiesForPolicyRequest,
  ListEntitiesForPolicyResponse,
  ListPolicyTagsRequest,
  ListPolicyTagsResponse,
  TagPolicyRequest,
  UntagPolicyRequest,
} from '@aws-sdk/client-iam';
import { noSuchManagedPolicy } from './errors.ts';
import { readIamTags, writeIamTags } from './iam-tags.ts';
import { findManagedPolicy } from './managed-policy-operations.ts';
import type { ManagedPolicy } from './managed-policies.ts';
import type { Iam } from './model.ts';

export function tagPolicy(iam: Iam, { PolicyArn: arn = '', Tags }: TagPolicyRequest): object {
  return changePolicyTags(iam, arn, (tags) => ({ ...tags, ...readIamTags(Tags) }));
}

export function untagPolicy(iam: Iam, { PolicyArn: arn = '', TagKeys: keys = [] }: UntagPolicyRequest): object {
  return changePolicyTags(iam, arn, (tags) =>
    Object.fromEntries(Object.entries(tags).filter(([key]) => !keys.includes(key))),
  );
}

type PolicyTags = NonNullable<ManagedPolicy['tags']>;

function changePolicyTags(iam: Iam, arn: string, change: (tags: PolicyTags) => PolicyTags): object {
  const policy = iam.managedPolicies.get(arn);
  if (policy === undefined) throw noSuchManagedPolicy(arn);
  iam.managedPolicies.set(arn, { ...policy, tags: change(policy.tags ?? {}) });
  return {};
}

export const listPolicyTags = (iam: Iam, { PolicyArn: arn = '' }: ListPolicyTagsRequest): ListPolicyTagsResponse => ({
  Tags: writeIamTags(findManagedPolicy(iam, arn).tags ?? {}),
  IsTruncated: false,
});

/** There are no groups that a policy could be attached to. */
export function listEntitiesForPolicy(
  iam: Iam,
  { PolicyArn: arn = '', EntityFilter: kind, PathPrefix: prefix = '/' }: ListEntitiesForPolicyRequest,
): ListEntitiesForPolicyResponse {
  findManagedPolicy(iam, arn);
  const isAttached = ({ attached = [], path }: { readonly attached?: readonly string[]; readonly path: string }) =>
    attached.includes(arn) && path.startsWith(prefix);
  const roles = kind === undefined || kind === 'Role' ? iam.roles().filter(isAttached) : [];
  const users = kind === undefined || kind === 'User' ? iam.users.all().filter(isAttached) : [];
  return {
    PolicyRoles: roles.map(({ name, id }) => ({ RoleName: name, RoleId: id })),
    PolicyUsers: users.map(({ name, id }) => ({ UserName: name, UserId: id })),
    PolicyGroups: [],
    IsTruncated: false,
  };
}

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

/** There are no users and groups that a policy could be attached to. */
export function listEntitiesForPolicy(
  iam: Iam,
  { PolicyArn: arn = '', EntityFilter: kind = 'Role', PathPrefix: prefix = '/' }: ListEntitiesForPolicyRequest,
): ListEntitiesForPolicyResponse {
  findManagedPolicy(iam, arn);
  const roles = kind === 'Role' ? iam.roles() : [];
  const attached = roles.filter((role) => role.attached?.includes(arn) === true && role.path.startsWith(prefix));
  return {
    PolicyRoles: attached.map(({ name, id }) => ({ RoleName: name, RoleId: id })),
    PolicyUsers: [],
    PolicyGroups: [],
    IsTruncated: false,
  };
}

import type {
  CreatePolicyRequest,
  CreatePolicyResponse,
  DeletePolicyRequest,
  GetPolicyRequest,
  GetPolicyResponse,
  ListPoliciesRequest,
  ListPoliciesResponse,
  Policy,
} from '@aws-sdk/client-iam';
import { byTextOf } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { badMarker, deleteConflict, noSuchManagedPolicy } from './errors.ts';
import { readIamTags, writeIamTags } from './iam-tags.ts';
import { defaultVersionOf, listPoliciesOfAws, type ManagedPolicy } from './managed-policies.ts';
import type { Iam } from './model.ts';
import { parsePolicy } from './trust-policy.ts';

export function createManagedPolicy(iam: Iam, request: CreatePolicyRequest): CreatePolicyResponse {
  const { PolicyName: name = '', Path: path = '/', PolicyDocument: document = '', Tags = [] } = request;
  checkPolicyDocument(document);
  const arn = iam.arnOf(`policy${path}${name}`);
  if ([...iam.managedPolicies.values()].some((policy) => policy.name === name))
    throw new AwsError(
      'EntityAlreadyExists',
      `A policy called ${name} already exists. Duplicate names are not allowed.`,
      {
        status: 409,
      },
    );
  const policy: ManagedPolicy = {
    name,
    id: iam.newPolicyId(),
    arn,
    path,
    createdAt: iam.now(),
    document,
    ...(request.Description !== undefined && { description: request.Description }),
    tags: readIamTags(Tags),
  };
  iam.managedPolicies.set(arn, policy);
  return { Policy: { ...writeManagedPolicy(iam, policy), ...(Tags.length > 0 && { Tags }) } };
}

/** @throws AwsError `MalformedPolicyDocument` */
export function checkPolicyDocument(document: string): void {
  if (parsePolicy(document)['Statement'] === undefined)
    throw new AwsError('MalformedPolicyDocument', 'Syntax errors in policy.');
}

export const getManagedPolicy = (iam: Iam, { PolicyArn: arn = '' }: GetPolicyRequest): GetPolicyResponse => {
  const policy = findManagedPolicy(iam, arn);
  const { description, tags = {} } = policy;
  return {
    Policy: {
      ...writeManagedPolicy(iam, policy),
      ...(description !== undefined && { Description: description }),
      Tags: writeIamTags(tags),
    },
  };
};

export function listManagedPolicies(iam: Iam, request: ListPoliciesRequest): ListPoliciesResponse {
  const {
    Scope: scope = 'All',
    OnlyAttached: onlyAttached = false,
    PathPrefix: prefix = '/',
    MaxItems,
    Marker,
  } = request;
  const own = [...iam.managedPolicies.values()].toSorted(byTextOf(({ name }) => name));
  const all = [...(scope === 'AWS' ? [] : own), ...(scope === 'Local' ? [] : policiesOfAws(iam))];
  const wanted = all.filter(
    ({ arn, path }) => path.startsWith(prefix) && (!onlyAttached || countAttachments(iam, arn) > 0),
  );
  const { items, next } = takePage(wanted, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return {
    Policies: items.map((policy) => writeManagedPolicy(iam, policy)),
    IsTruncated: next !== undefined,
    ...(next && { Marker: next }),
  };
}

export function deleteManagedPolicy(iam: Iam, { PolicyArn: arn = '' }: DeletePolicyRequest): object {
  if (!iam.managedPolicies.has(arn)) throw noSuchManagedPolicy(arn);
  if (countAttachments(iam, arn) > 0) throw deleteConflict('Cannot delete a policy attached to entities.');
  if ((iam.managedPolicies.get(arn)?.versions ?? []).length > 1)
    throw deleteConflict(
      "This policy has more than one version. Before you delete a policy, you must delete the policy's versions. The default version is deleted with the policy.",
    );
  iam.managedPolicies.delete(arn);
  return {};
}

const policiesOfAws = (iam: Iam): readonly ManagedPolicy[] =>
  listPoliciesOfAws(iam.arnOf('root').split(':')[1] ?? 'aws');

export function findManagedPolicy(iam: Iam, arn: string): ManagedPolicy {
  const found = iam.managedPolicies.get(arn) ?? policiesOfAws(iam).find((policy) => policy.arn === arn);
  if (found === undefined) throw noSuchManagedPolicy(arn);
  return found;
}

const countAttachments = (iam: Iam, arn: string): number =>
  [...iam.roles(), ...iam.users.all()].filter(({ attached = [] }) => attached.includes(arn)).length;

const writeManagedPolicy = (iam: Iam, policy: ManagedPolicy): Policy => {
  const { name, id, arn, path, createdAt, updatedAt = createdAt } = policy;
  return {
    PolicyName: name,
    PolicyId: id,
    Arn: arn,
    Path: path,
    DefaultVersionId: defaultVersionOf(policy).id,
    AttachmentCount: countAttachments(iam, arn),
    PermissionsBoundaryUsageCount: 0,
    IsAttachable: true,
    CreateDate: new Date(createdAt),
    UpdateDate: new Date(updatedAt),
  };
};

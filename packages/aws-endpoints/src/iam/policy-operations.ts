import type {
  AttachRolePolicyRequest,
  DeleteRolePolicyRequest,
  DetachRolePolicyRequest,
  GetRolePolicyRequest,
  GetRolePolicyResponse,
  ListAttachedRolePoliciesRequest,
  ListAttachedRolePoliciesResponse,
  ListRolePoliciesRequest,
  ListRolePoliciesResponse,
  PutRolePolicyRequest,
  UpdateAssumeRolePolicyRequest,
} from '@aws-sdk/client-iam';
import { readOwn } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { badMarker, noSuchRolePolicy, notAttached } from './errors.ts';
import type { Iam } from './model.ts';
import { checkTrustPolicy, parsePolicy } from './trust-policy.ts';

/** Policies are kept and told. They decide the calls of sessions where rights are looked at. */

const mostAttached = 10;

export function attachRolePolicy(iam: Iam, { RoleName = '', PolicyArn: arn = '' }: AttachRolePolicyRequest): object {
  const { attached = [] } = iam.role(RoleName);
  if (!/^arn:aws[\w-]*:iam::(aws|\d{12}):policy\/.+$/.test(arn))
    throw new AwsError('InvalidInput', `ARN ${arn} is not valid.`);
  if (attached.includes(arn)) return {};
  if (arn.startsWith(iam.arnOf('policy/')) && !iam.managedPolicies.has(arn))
    throw new AwsError('NoSuchEntity', `Policy ${arn} does not exist or is not attachable.`, { status: 404 });
  if (attached.length >= mostAttached)
    throw new AwsError('LimitExceeded', `Cannot exceed quota for PoliciesPerRole: ${mostAttached}`, { status: 409 });
  iam.changeRole(RoleName, { attached: [...attached, arn] });
  return {};
}

export function detachRolePolicy(iam: Iam, { RoleName = '', PolicyArn: arn = '' }: DetachRolePolicyRequest): object {
  const { attached = [] } = iam.role(RoleName);
  if (!attached.includes(arn)) throw notAttached(arn);
  iam.changeRole(RoleName, { attached: attached.filter((each) => each !== arn) });
  return {};
}

export function listAttachedPolicies(
  iam: Iam,
  { RoleName = '', MaxItems, Marker }: ListAttachedRolePoliciesRequest,
): ListAttachedRolePoliciesResponse {
  const { attached = [] } = iam.role(RoleName);
  const { items, next } = takePage(attached, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return {
    AttachedPolicies: items.map((PolicyArn) => ({ PolicyArn, PolicyName: PolicyArn.split('/').at(-1) ?? '' })),
    IsTruncated: next !== undefined,
    ...(next && { Marker: next }),
  };
}

export function putRolePolicy(iam: Iam, request: PutRolePolicyRequest): object {
  const { RoleName = '', PolicyName: name = '', PolicyDocument: document = '' } = request;
  const { policies = {} } = iam.role(RoleName);
  if (parsePolicy(document)['Statement'] === undefined)
    throw new AwsError('MalformedPolicyDocument', 'Syntax errors in policy.');
  iam.changeRole(RoleName, { policies: { ...policies, [name]: document } });
  return {};
}

export function getRolePolicy(
  iam: Iam,
  { RoleName = '', PolicyName: name = '' }: GetRolePolicyRequest,
): GetRolePolicyResponse {
  const document = readOwn(iam.role(RoleName).policies ?? {}, name);
  if (document === undefined) throw noSuchRolePolicy(name);
  return { RoleName, PolicyName: name, PolicyDocument: encodeURIComponent(document) };
}

export function deleteRolePolicy(iam: Iam, { RoleName = '', PolicyName: name = '' }: DeleteRolePolicyRequest): object {
  const policies = iam.role(RoleName).policies ?? {};
  if (readOwn(policies, name) === undefined) throw noSuchRolePolicy(name);
  iam.changeRole(RoleName, {
    policies: Object.fromEntries(Object.entries(policies).filter(([each]) => each !== name)),
  });
  return {};
}

export function listRolePolicies(
  iam: Iam,
  { RoleName = '', MaxItems, Marker }: ListRolePoliciesRequest,
): ListRolePoliciesResponse {
  const names = Object.keys(iam.role(RoleName).policies ?? {}).toSorted();
  const { items, next } = takePage(names, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return { PolicyNames: [...items], IsTruncated: next !== undefined, ...(next && { Marker: next }) };
}

export function updateTrust(
  iam: Iam,
  { RoleName = '', PolicyDocument: trust = '' }: UpdateAssumeRolePolicyRequest,
): object {
  iam.role(RoleName);
  checkTrustPolicy(trust);
  iam.changeRole(RoleName, { trust });
  return {};
}

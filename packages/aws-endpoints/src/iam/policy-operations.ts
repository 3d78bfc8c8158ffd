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
import type { Iam } from './model.ts';
import {
  attachPolicy,
  deleteInlinePolicy,
  detachPolicy,
  putInlinePolicy,
  readInlinePolicy,
  writeAttachedPage,
  writeInlinePage,
} from './principal-policies.ts';
import { checkTrustPolicy } from './trust-policy.ts';

export function attachRolePolicy(iam: Iam, { RoleName = '', PolicyArn: arn = '' }: AttachRolePolicyRequest): object {
  const { attached } = iam.role(RoleName);
  iam.changeRole(RoleName, { attached: attachPolicy(iam, { attached, kind: 'Role' }, arn) });
  return {};
}

export function detachRolePolicy(iam: Iam, { RoleName = '', PolicyArn: arn = '' }: DetachRolePolicyRequest): object {
  iam.changeRole(RoleName, { attached: detachPolicy(iam.role(RoleName).attached, arn) });
  return {};
}

export const listAttachedPolicies = (
  iam: Iam,
  { RoleName = '', ...page }: ListAttachedRolePoliciesRequest,
): ListAttachedRolePoliciesResponse => writeAttachedPage(iam.role(RoleName).attached, page);

export function putRolePolicy(iam: Iam, request: PutRolePolicyRequest): object {
  const { RoleName = '', PolicyName: name = '', PolicyDocument: document = '' } = request;
  iam.changeRole(RoleName, { policies: putInlinePolicy(iam.role(RoleName).policies, name, document) });
  return {};
}

export function getRolePolicy(
  iam: Iam,
  { RoleName = '', PolicyName: name = '' }: GetRolePolicyRequest,
): GetRolePolicyResponse {
  const { policies } = iam.role(RoleName);
  return { RoleName, PolicyName: name, PolicyDocument: readInlinePolicy({ policies, name, kind: 'role' }) };
}

export function deleteRolePolicy(iam: Iam, { RoleName = '', PolicyName: name = '' }: DeleteRolePolicyRequest): object {
  const { policies } = iam.role(RoleName);
  iam.changeRole(RoleName, { policies: deleteInlinePolicy({ policies, name, kind: 'role' }) });
  return {};
}

export const listRolePolicies = (
  iam: Iam,
  { RoleName = '', ...page }: ListRolePoliciesRequest,
): ListRolePoliciesResponse => writeInlinePage(iam.role(RoleName).policies, page);

export function updateTrust(
  iam: Iam,
  { RoleName = '', PolicyDocument: trust = '' }: UpdateAssumeRolePolicyRequest,
): object {
  iam.role(RoleName);
  checkTrustPolicy(trust);
  iam.changeRole(RoleName, { trust });
  return {};
}

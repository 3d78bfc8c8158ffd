import type {
  AttachUserPolicyRequest,
  DeleteUserPolicyRequest,
  DetachUserPolicyRequest,
  GetUserPolicyRequest,
  GetUserPolicyResponse,
  ListAttachedUserPoliciesRequest,
  ListAttachedUserPoliciesResponse,
  ListUserPoliciesRequest,
  ListUserPoliciesResponse,
  PutUserPolicyRequest,
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

export function attachUserPolicy(iam: Iam, { UserName = '', PolicyArn: arn = '' }: AttachUserPolicyRequest): object {
  const { attached } = iam.users.getChangeable(UserName);
  iam.users.change(UserName, { attached: attachPolicy(iam, { attached, kind: 'User' }, arn) });
  return {};
}

export function detachUserPolicy(iam: Iam, { UserName = '', PolicyArn: arn = '' }: DetachUserPolicyRequest): object {
  const { attached } = iam.users.getChangeable(UserName);
  iam.users.change(UserName, { attached: detachPolicy(attached, arn) });
  return {};
}

export const listAttachedUserPolicies = (
  iam: Iam,
  { UserName = '', ...page }: ListAttachedUserPoliciesRequest,
): ListAttachedUserPoliciesResponse => writeAttachedPage(iam.users.get(UserName).attached, page);

export function putUserPolicy(iam: Iam, request: PutUserPolicyRequest): object {
  const { UserName = '', PolicyName: name = '', PolicyDocument: document = '' } = request;
  const { policies } = iam.users.getChangeable(UserName);
  iam.users.change(UserName, { policies: putInlinePolicy(policies, name, document) });
  return {};
}

export function getUserPolicy(
  iam: Iam,
  { UserName = '', PolicyName: name = '' }: GetUserPolicyRequest,
): GetUserPolicyResponse {
  const { policies } = iam.users.get(UserName);
  return { UserName, PolicyName: name, PolicyDocument: readInlinePolicy({ policies, name, kind: 'user' }) };
}

export function deleteUserPolicy(iam: Iam, { UserName = '', PolicyName: name = '' }: DeleteUserPolicyRequest): object {
  const { policies } = iam.users.getChangeable(UserName);
  iam.users.change(UserName, { policies: deleteInlinePolicy({ policies, name, kind: 'user' }) });
  return {};
}

export const listUserPolicies = (
  iam: Iam,
  { UserName = '', ...page }: ListUserPoliciesRequest,
): ListUserPoliciesResponse => writeInlinePage(iam.users.get(UserName).policies, page);

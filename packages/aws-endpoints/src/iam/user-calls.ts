import {
  AttachUserPolicy$,
  CreateAccessKey$,
  CreateUser$,
  DeleteAccessKey$,
  DeleteUser$,
  DeleteUserPolicy$,
  DetachUserPolicy$,
  GetUser$,
  GetUserPolicy$,
  ListAccessKeys$,
  ListAccountAliases$,
  ListAttachedUserPolicies$,
  ListGroupsForUser$,
  ListUserPolicies$,
  ListUserTags$,
  ListUsers$,
  PutUserPolicy$,
  TagUser$,
  UntagUser$,
  UpdateAccessKey$,
  UpdateUser$,
} from '@aws-sdk/client-iam';
import type { OperationSchema } from '../codec/shape.ts';
import { type AwsCaller, type AwsOperation, defineOperation } from '../service.ts';
import { createUserKey, deleteUserKey, listUserKeys, updateUserKey } from './access-key-operations.ts';
import type { Iam } from './model.ts';
import {
  createUser,
  deleteUser,
  getUser,
  listAccountAliases,
  listGroupsForUser,
  listUsers,
  listUserTags,
  tagUser,
  untagUser,
  updateUser,
} from './people-operations.ts';
import {
  attachUserPolicy,
  deleteUserPolicy,
  detachUserPolicy,
  getUserPolicy,
  listAttachedUserPolicies,
  listUserPolicies,
  putUserPolicy,
} from './user-policy-operations.ts';

/** The calls about users, their keys and their policies. */
export function listUserCalls(iam: Iam): readonly AwsOperation[] {
  const serve = <Input, Output extends object>(
    schema: OperationSchema,
    work: (iam: Iam, input: Input, caller: AwsCaller) => Output,
  ): AwsOperation => defineOperation(schema, (input: Input, caller) => work(iam, input, caller));
  return [
    serve(CreateUser$, createUser),
    serve(DeleteUser$, deleteUser),
    serve(GetUser$, getUser),
    serve(ListUsers$, listUsers),
    serve(UpdateUser$, updateUser),
    serve(TagUser$, tagUser),
    serve(UntagUser$, untagUser),
    serve(ListUserTags$, listUserTags),
    serve(ListGroupsForUser$, listGroupsForUser),
    serve(ListAccountAliases$, listAccountAliases),
    serve(CreateAccessKey$, createUserKey),
    serve(DeleteAccessKey$, deleteUserKey),
    serve(ListAccessKeys$, listUserKeys),
    serve(UpdateAccessKey$, updateUserKey),
    serve(AttachUserPolicy$, attachUserPolicy),
    serve(DeleteUserPolicy$, deleteUserPolicy),
    serve(DetachUserPolicy$, detachUserPolicy),
    serve(GetUserPolicy$, getUserPolicy),
    serve(ListAttachedUserPolicies$, listAttachedUserPolicies),
    serve(ListUserPolicies$, listUserPolicies),
    serve(PutUserPolicy$, putUserPolicy),
  ];
}

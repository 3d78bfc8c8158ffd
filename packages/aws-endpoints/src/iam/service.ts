import {
  AddClientIDToOpenIDConnectProvider$,
  AddRoleToInstanceProfile$,
  CreateOpenIDConnectProvider$,
  DeleteOpenIDConnectProvider$,
  GetOpenIDConnectProvider$,
  ListOpenIDConnectProviders$,
  RemoveClientIDFromOpenIDConnectProvider$,
  AttachRolePolicy$,
  CreateInstanceProfile$,
  CreatePolicy$,
  CreateRole$,
  CreateServiceLinkedRole$,
  DeletePolicy$,
  GetPolicy$,
  GetPolicyVersion$,
  GetUser$,
  ListAccountAliases$,
  ListPolicies$,
  ListRoleTags$,
  ListUsers$,
  TagRole$,
  UntagRole$,
  DeleteInstanceProfile$,
  DeleteRole$,
  DeleteRolePolicy$,
  DetachRolePolicy$,
  GetRolePolicy$,
  ListAttachedRolePolicies$,
  ListRolePolicies$,
  PutRolePolicy$,
  UpdateAssumeRolePolicy$,
  GetInstanceProfile$,
  GetRole$,
  ListInstanceProfiles$,
  ListInstanceProfilesForRole$,
  ListInstanceProfileTags$,
  ListRoles$,
  RemoveRoleFromInstanceProfile$,
  TagInstanceProfile$,
} from '@aws-sdk/client-iam';
import { queryProtocol } from '../codec/query-protocol.ts';
import type { OperationSchema } from '../codec/shape.ts';
import { defineOperation, type AwsOperation, type AwsService } from '../service.ts';
import {
  createManagedPolicy,
  deleteManagedPolicy,
  getManagedPolicy,
  getPolicyVersion,
  listManagedPolicies,
} from './managed-policy-operations.ts';
import type { Iam } from './model.ts';
import {
  addClientId,
  createOidcProvider,
  deleteOidcProvider,
  getOidcProvider,
  listOidcProviders,
  removeClientId,
} from './oidc-providers.ts';
import {
  addRole,
  createProfile,
  deleteProfile,
  getProfile,
  listProfiles,
  listProfilesForRole,
  listProfileTags,
  removeRole,
  tagProfile,
} from './profile-operations.ts';
import {
  attachRolePolicy,
  deleteRolePolicy,
  detachRolePolicy,
  getRolePolicy,
  listAttachedPolicies,
  listRolePolicies,
  putRolePolicy,
  updateTrust,
} from './policy-operations.ts';
import { getUser, listAccountAliases, listUsers } from './people-operations.ts';
import { listRoleTags, tagRole, untagRole } from './role-tag-operations.ts';
import { createServiceLinkedRole } from './service-linked-roles.ts';
import { createRole, deleteRole, getRole, listRoles } from './role-operations.ts';
import { iamConstraints, iamLimits } from './input-limits.ts';

export const iamService = (iam: Iam): AwsService => {
  const serve = <Input, Output extends object>(
    schema: OperationSchema,
    work: (iam: Iam, input: Input) => Output,
  ): AwsOperation => defineOperation(schema, (input: Input) => work(iam, input));
  return {
    name: 'iam',
    protocol: queryProtocol({ dialect: 'awsQuery', namespace: 'https://iam.amazonaws.com/doc/2010-05-08/' }),
    commonErrors: {
      throttling: { code: 'Throttling', status: 400 },
      accessDenied: { code: 'AccessDenied', status: 403 },
    },
    limits: iamLimits,
    constraints: iamConstraints,
    operations: [
      serve(AttachRolePolicy$, attachRolePolicy),
      serve(DeleteRolePolicy$, deleteRolePolicy),
      serve(DetachRolePolicy$, detachRolePolicy),
      serve(GetRolePolicy$, getRolePolicy),
      serve(ListAttachedRolePolicies$, listAttachedPolicies),
      serve(ListRolePolicies$, listRolePolicies),
      serve(PutRolePolicy$, putRolePolicy),
      serve(UpdateAssumeRolePolicy$, updateTrust),
      serve(CreateRole$, createRole),
      serve(DeleteRole$, deleteRole),
      serve(GetRole$, getRole),
      serve(ListRoles$, listRoles),
      serve(CreateInstanceProfile$, createProfile),
      serve(GetInstanceProfile$, getProfile),
      serve(ListInstanceProfiles$, listProfiles),
      serve(ListInstanceProfilesForRole$, listProfilesForRole),
      serve(ListInstanceProfileTags$, listProfileTags),
      serve(AddRoleToInstanceProfile$, addRole),
      serve(RemoveRoleFromInstanceProfile$, removeRole),
      serve(TagInstanceProfile$, tagProfile),
      serve(DeleteInstanceProfile$, deleteProfile),
      serve(TagRole$, tagRole),
      serve(UntagRole$, untagRole),
      serve(ListRoleTags$, listRoleTags),
      serve(CreateServiceLinkedRole$, createServiceLinkedRole),
      serve(CreatePolicy$, createManagedPolicy),
      serve(GetPolicy$, getManagedPolicy),
      serve(GetPolicyVersion$, getPolicyVersion),
      serve(ListPolicies$, listManagedPolicies),
      serve(DeletePolicy$, deleteManagedPolicy),
      serve(GetUser$, getUser),
      serve(ListUsers$, listUsers),
      serve(ListAccountAliases$, listAccountAliases),
      serve(CreateOpenIDConnectProvider$, createOidcProvider),
      serve(GetOpenIDConnectProvider$, getOidcProvider),
      serve(ListOpenIDConnectProviders$, listOidcProviders),
      serve(DeleteOpenIDConnectProvider$, deleteOidcProvider),
      serve(AddClientIDToOpenIDConnectProvider$, addClientId),
      serve(RemoveClientIDFromOpenIDConnectProvider$, removeClientId),
    ],
  };
};

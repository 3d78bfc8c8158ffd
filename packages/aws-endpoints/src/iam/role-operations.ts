import type {
  AttachRolePolicyRequest,
  CreateRoleRequest,
  CreateRoleResponse,
  DeleteRoleRequest,
  GetRoleRequest,
  GetRoleResponse,
  ListRolesRequest,
  ListRolesResponse,
  Role as WireRole,
} from '@aws-sdk/client-iam';
import { takePage } from '../paging.ts';
import { badMarker } from './errors.ts';
import { checkTrustPolicy } from './trust-policy.ts';
import type { Iam, Role } from './model.ts';

export const getRole = (iam: Iam, { RoleName = '' }: GetRoleRequest): GetRoleResponse => ({
  Role: roleOnTheWire(iam.role(RoleName)),
});

export function listRoles(iam: Iam, { PathPrefix = '/', MaxItems, Marker }: ListRolesRequest): ListRolesResponse {
  const below = iam.roles().filter(({ path }) => path.startsWith(PathPrefix));
  const { items, next } = takePage(below, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return { Roles: items.map(roleOnTheWire), IsTruncated: next !== undefined, ...(next && { Marker: next }) };
}

export const roleOnTheWire = (role: Role): WireRole => ({
  RoleName: role.name,
  RoleId: role.id,
  Arn: role.arn,
  Path: role.path,
  CreateDate: new Date(role.createdAt),
  AssumeRolePolicyDocument: encodeURIComponent(role.trust),
  MaxSessionDuration: 3600,
});

export function createRole(iam: Iam, request: CreateRoleRequest): CreateRoleResponse {
  const { RoleName: name = '', AssumeRolePolicyDocument: trust = '', Path: path = '/' } = request;
  checkTrustPolicy(trust);
  return { Role: roleOnTheWire(iam.createRole({ name, trust, path })) };
}

export function deleteRole(iam: Iam, { RoleName = '' }: DeleteRoleRequest): object {
  iam.deleteRole(RoleName);
  return {};
}

/** Rights are not looked at here: every role may do what it needs. */
export function attachRolePolicy(iam: Iam, { RoleName = '' }: AttachRolePolicyRequest): object {
  iam.role(RoleName);
  return {};
}

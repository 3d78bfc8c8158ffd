import type {
  CreateRoleRequest,
  CreateRoleResponse,
  DeleteRoleRequest,
  GetRoleRequest,
  GetRoleResponse,
  ListRolesRequest,
  ListRolesResponse,
  Role as WireRole,
  UpdateRoleDescriptionRequest,
  UpdateRoleDescriptionResponse,
  UpdateRoleRequest,
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
  return { Roles: items.map(writeListedRole), IsTruncated: next !== undefined, ...(next && { Marker: next }) };
}

/** A list of roles tells neither tags nor boundaries. */
function writeListedRole(role: Role): WireRole {
  const { Tags: _tags, PermissionsBoundary: _boundary, ...listed } = roleOnTheWire(role);
  return listed;
}

export const roleOnTheWire = (role: Role): WireRole => ({
  RoleName: role.name,
  RoleId: role.id,
  Arn: role.arn,
  Path: role.path,
  CreateDate: new Date(role.createdAt),
  AssumeRolePolicyDocument: encodeURIComponent(role.trust),
  MaxSessionDuration: role.sessionSeconds ?? 3600,
  ...(role.description !== undefined && { Description: role.description }),
  ...(role.boundary !== undefined && {
    PermissionsBoundary: {
      PermissionsBoundaryType: 'PermissionsBoundaryPolicy' as const,
      PermissionsBoundaryArn: role.boundary,
    },
  }),
  ...(Object.keys(role.tags ?? {}).length > 0 && {
    Tags: Object.entries(role.tags ?? {}).map(([Key, Value]) => ({ Key, Value })),
  }),
});

export function createRole(iam: Iam, request: CreateRoleRequest): CreateRoleResponse {
  const { RoleName: name = '', AssumeRolePolicyDocument: trust = '', Path: path = '/' } = request;
  checkTrustPolicy(trust);
  const { Description: description, MaxSessionDuration: sessionSeconds, Tags = [] } = request;
  const tags = Object.fromEntries(Tags.map(({ Key = '', Value = '' }) => [Key, Value]));
  const described = {
    ...(description !== undefined && { description }),
    ...(sessionSeconds !== undefined && { sessionSeconds }),
    ...(request.PermissionsBoundary !== undefined && { boundary: request.PermissionsBoundary }),
  };
  return { Role: roleOnTheWire(iam.createRole({ name, trust, path, tags, ...described })) };
}

export function updateRole(iam: Iam, request: UpdateRoleRequest): object {
  const { RoleName = '', Description: description, MaxSessionDuration: sessionSeconds } = request;
  iam.changeRole(RoleName, {
    ...(description !== undefined && { description }),
    ...(sessionSeconds !== undefined && { sessionSeconds }),
  });
  return {};
}

export function updateRoleDescription(iam: Iam, request: UpdateRoleDescriptionRequest): UpdateRoleDescriptionResponse {
  const { RoleName = '', Description: description = '' } = request;
  iam.changeRole(RoleName, { description });
  return { Role: roleOnTheWire(iam.role(RoleName)) };
}

export function deleteRole(iam: Iam, { RoleName = '' }: DeleteRoleRequest): object {
  iam.deleteRole(RoleName);
  return {};
}

import { type PolicyRule, rbacGroup } from '../auth/rbac.ts';
import type { ApiObject } from '../storage/api-object.ts';

const defaults = {
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
};

type RolePlace = { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };

/** A role of every cluster; with a namespace, a role in it. */
export const defaultRole = (
  name: string,
  rules: readonly PolicyRule[],
  { namespace, labels }: RolePlace = {},
): ApiObject => ({
  kind: namespace === undefined ? 'ClusterRole' : 'Role',
  apiVersion: `${rbacGroup}/v1`,
  metadata: {
    ...defaults,
    name,
    ...(namespace !== undefined && { namespace }),
    labels: { ...defaults.labels, ...labels },
  },
  rules,
});

/** `Group NAME`, `User NAME` or `ServiceAccount NAME`, the last in `kube-system`. */
function subjectOf(text: string): object {
  const [kind = '', name = ''] = text.split(' ');
  return kind === 'ServiceAccount' ? { kind, name, namespace: 'kube-system' } : { apiGroup: rbacGroup, kind, name };
}

type BoundRole = { readonly name?: string; readonly namespace?: string };

/** A binding of a default role, under the name of the role unless another one is given. */
export const defaultBinding = (
  role: string,
  subjects: readonly string[],
  { name = role, namespace }: BoundRole = {},
): ApiObject => ({
  kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
  apiVersion: `${rbacGroup}/v1`,
  metadata: { name, ...(namespace !== undefined && { namespace }), ...defaults },
  roleRef: { apiGroup: rbacGroup, kind: namespace === undefined ? 'ClusterRole' : 'Role', name: role },
  subjects: subjects.map(subjectOf),
});

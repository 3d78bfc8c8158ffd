import type { InstallValues } from '../values/install-values.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';
import { type InstallObject, controllerLabels } from '../objects/install-object.ts';
import { clusterCalls } from './cluster-calls.ts';
import { type AccessCall, listAccessRules } from './kubernetes-call.ts';
import { listNamespaceRoles, type NamespaceRole } from './namespace-roles.ts';

const accessGroup = 'rbac.authorization.k8s.io';

/** The roles of the controller, each with its binding. */
export const listAccessObjects = (values: InstallValues, catalogue: SettingCatalogue): readonly InstallObject[] => [
  ...listWideAccess(values, values.name, clusterCalls),
  ...listNamespaceRoles(values, catalogue).flatMap((role) => listNamespaceAccess(values, role)),
];

/** A role for calls in the whole cluster, with its binding. */
export function listWideAccess(
  values: InstallValues,
  name: string,
  calls: readonly AccessCall[],
): readonly InstallObject[] {
  const metadata = { name, labels: controllerLabels(values) };
  return [
    { apiVersion: `${accessGroup}/v1`, kind: 'ClusterRole', metadata, rules: listAccessRules(calls) },
    { apiVersion: `${accessGroup}/v1`, kind: 'ClusterRoleBinding', metadata, ...grantOf(values, 'ClusterRole', name) },
  ];
}

/** A role for calls in one namespace, with its binding. */
export function listNamespaceAccess(
  values: InstallValues,
  { name, namespace, calls }: NamespaceRole,
): readonly InstallObject[] {
  const metadata = { name, namespace, labels: controllerLabels(values) };
  return [
    { apiVersion: `${accessGroup}/v1`, kind: 'Role', metadata, rules: listAccessRules(calls) },
    { apiVersion: `${accessGroup}/v1`, kind: 'RoleBinding', metadata, ...grantOf(values, 'Role', name) },
  ];
}

const grantOf = ({ name, namespace }: InstallValues, kind: string, role: string) => ({
  roleRef: { apiGroup: accessGroup, kind, name: role },
  subjects: [{ kind: 'ServiceAccount', name, namespace }],
});

import type { InstallValues } from '../values/install-values.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';
import { controllerRules } from './controller-rules.ts';
import { type InstallObject, controllerLabels } from './install-object.ts';
import { listNamespaceRoles, type NamespaceRole } from './namespace-roles.ts';

const accessGroup = 'rbac.authorization.k8s.io';

/** The roles of the controller, each with its binding. */
export const listAccessObjects = (values: InstallValues, catalogue: SettingCatalogue): readonly InstallObject[] => [
  ...listClusterAccess(values),
  ...listNamespaceRoles(values, catalogue).flatMap((role) => listNamespaceAccess(values, role)),
];

function listClusterAccess(values: InstallValues): readonly InstallObject[] {
  const metadata = { name: values.name, labels: controllerLabels(values) };
  return [
    { apiVersion: `${accessGroup}/v1`, kind: 'ClusterRole', metadata, rules: controllerRules },
    {
      apiVersion: `${accessGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata,
      ...grantOf(values, 'ClusterRole', values.name),
    },
  ];
}

function listNamespaceAccess(
  values: InstallValues,
  { name, namespace, rules }: NamespaceRole,
): readonly InstallObject[] {
  const metadata = { name, namespace, labels: controllerLabels(values) };
  return [
    { apiVersion: `${accessGroup}/v1`, kind: 'Role', metadata, rules },
    { apiVersion: `${accessGroup}/v1`, kind: 'RoleBinding', metadata, ...grantOf(values, 'Role', name) },
  ];
}

const grantOf = ({ name, namespace }: InstallValues, kind: string, role: string) => ({
  roleRef: { apiGroup: accessGroup, kind, name: role },
  subjects: [{ kind: 'ServiceAccount', name, namespace }],
});

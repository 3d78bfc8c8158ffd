/**
 * Everything that is deployed to a cluster, as objects made from the values of an installation: definitions, accounts,
 * rights, the Deployment and what belongs to it; and the IAM policy of the controller. Rights in the cluster and in AWS
 * come from one table of calls each. Pure functions: nothing here reads files or talks to a cluster.
 */
export type { SettingCatalogue } from './values/setting-values.ts';
export type { InstallValues } from './values/install-values.ts';
export { readInstallValues } from './values/read-values.ts';
export { listEnvironment } from './objects/environment.ts';
export { listInstallManifests } from './install-manifests.ts';
export type { AccessCall } from './access/kubernetes-call.ts';
export { clusterCalls } from './access/cluster-calls.ts';
export { listNamespaceRoles } from './access/namespace-roles.ts';
export { buildIamPolicy, type PolicyDocument } from './access/iam-policy.ts';
export { buildChartFiles } from './chart/chart-files.ts';
export { buildKustomizeFiles } from './chart/kustomize-files.ts';
export { listDashboardExpressions, listDashboards } from './monitoring/dashboards.ts';

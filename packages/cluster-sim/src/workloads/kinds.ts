import {
  configMaps,
  controllerRevisions,
  csiNodes,
  daemonSets,
  deployments,
  ec2NodeClasses,
  events,
  leases,
  nodeClaims,
  nodePools,
  nodes,
  persistentVolumeClaims,
  podDisruptionBudgets,
  pods,
  replicaSets,
  type ResourceType,
  services,
  statefulSets,
} from '@nodewright/apis';
import { cronJobs } from './cron-jobs/cron-job.ts';
import { jobs } from './jobs/job.ts';

const namespacedKind = (group: string, version: string, plural: string, kind: string): ResourceType => ({
  group,
  version,
  plural,
  kind,
  namespaced: true,
});

const serviceAccounts: ResourceType = namespacedKind('', 'v1', 'serviceaccounts', 'ServiceAccount');

/** Built-in kinds that own others or are owned. */
export const builtInKinds: readonly ResourceType[] = [
  nodes,
  csiNodes,
  pods,
  replicaSets,
  deployments,
  daemonSets,
  statefulSets,
  cronJobs,
  jobs,
  podDisruptionBudgets,
  leases,
  services,
  configMaps,
  namespacedKind('', 'v1', 'secrets', 'Secret'),
  persistentVolumeClaims,
  serviceAccounts,
];

/** Kinds that are there only when their definitions are. */
export const customKinds: readonly ResourceType[] = [nodePools, nodeClaims, ec2NodeClasses];

/** Kinds that are deleted with a namespace. Owners come before the objects that they would create again. */
export const namespacedKinds: readonly ResourceType[] = [
  deployments,
  daemonSets,
  ...builtInKinds.filter((type) => type.namespaced && type !== deployments && type !== daemonSets),
  controllerRevisions,
  namespacedKind('', 'v1', 'endpoints', 'Endpoints'),
  namespacedKind('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice'),
  namespacedKind('networking.k8s.io', 'v1', 'ingresses', 'Ingress'),
  namespacedKind('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy'),
  namespacedKind('rbac.authorization.k8s.io', 'v1', 'rolebindings', 'RoleBinding'),
  namespacedKind('rbac.authorization.k8s.io', 'v1', 'roles', 'Role'),
  namespacedKind('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler'),
  namespacedKind('', 'v1', 'resourcequotas', 'ResourceQuota'),
  namespacedKind('', 'v1', 'limitranges', 'LimitRange'),
  events,
];

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
  resourceClaims,
  resourceClaimTemplates,
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

const clusterKind = (group: string, version: string, plural: string, kind: string): ResourceType => ({
  ...namespacedKind(group, version, plural, kind),
  namespaced: false,
});

const serviceAccounts: ResourceType = namespacedKind('', 'v1', 'serviceaccounts', 'ServiceAccount');

/** Built-in kinds whose objects the controllers and kubelets of the cluster make, or make others for. */
export const workloadKinds: readonly ResourceType[] = [
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

/** Further kinds of namespaces that people and their operators make. */
const furtherNamespacedKinds: readonly ResourceType[] = [
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
  namespacedKind('', 'v1', 'replicationcontrollers', 'ReplicationController'),
  namespacedKind('', 'v1', 'podtemplates', 'PodTemplate'),
];

/** Built-in kinds that only people and their operators make owners or dependents of. Events are neither. */
export const furtherOwnedKinds: readonly ResourceType[] = [
  ...furtherNamespacedKinds,
  clusterKind('', 'v1', 'namespaces', 'Namespace'),
  clusterKind('', 'v1', 'persistentvolumes', 'PersistentVolume'),
  clusterKind('rbac.authorization.k8s.io', 'v1', 'clusterroles', 'ClusterRole'),
  clusterKind('rbac.authorization.k8s.io', 'v1', 'clusterrolebindings', 'ClusterRoleBinding'),
  clusterKind('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass'),
  clusterKind('storage.k8s.io', 'v1', 'volumeattachments', 'VolumeAttachment'),
  clusterKind('admissionregistration.k8s.io', 'v1', 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'),
  clusterKind(
    'admissionregistration.k8s.io',
    'v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
  ),
];

/** Custom kinds whose watches begin before their definitions were read. */
export const firstCustomKinds: readonly ResourceType[] = [nodePools, nodeClaims, ec2NodeClasses];

/**
 * Built-in kinds that are deleted with a namespace, also those that older minors do not serve. Owners come before the objects
 * that they would create again.
 */
export const namespacedKinds: readonly ResourceType[] = [
  deployments,
  daemonSets,
  ...workloadKinds.filter((type) => type.namespaced && type !== deployments && type !== daemonSets),
  ...furtherNamespacedKinds,
  resourceClaims,
  resourceClaimTemplates,
  namespacedKind('storage.k8s.io', 'v1', 'csistoragecapacities', 'CSIStorageCapacity'),
  events,
];

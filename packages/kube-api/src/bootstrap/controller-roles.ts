import { type PolicyRule, rbacGroup } from '../auth/rbac.ts';
import { resourceRule, writesEvents } from '../auth/rule-notation.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { newestControllerRules } from './newest-controller-roles.ts';
import { defaultBinding, defaultRole } from './role-notation.ts';

const workloadGroups = 'apps extensions';

/** The rules of each controller of the controller manager, by its name. */
const rulesOfControllers: Readonly<Record<string, readonly PolicyRule[]>> = {
  'attachdetach-controller': [
    resourceRule('list watch', 'core', 'persistentvolumeclaims persistentvolumes'),
    resourceRule('read', 'core', 'nodes'),
    resourceRule('patch update', 'core', 'nodes/status'),
    resourceRule('list watch', 'core', 'pods'),
    writesEvents,
    resourceRule('create delete get list patch update watch', 'storage.k8s.io', 'volumeattachments'),
    resourceRule('read', 'storage.k8s.io', 'csidrivers csinodes'),
  ],
  'certificate-controller': [
    resourceRule('delete get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
    resourceRule(
      'update',
      'certificates.k8s.io',
      'certificatesigningrequests/approval certificatesigningrequests/status',
    ),
    resourceRule('approve', 'certificates.k8s.io', 'signers', 'kubernetes.io/kube-apiserver-client-kubelet'),
    resourceRule(
      'sign',
      'certificates.k8s.io',
      'signers',
      'kubernetes.io/kube-apiserver-client kubernetes.io/kube-apiserver-client-kubelet kubernetes.io/kubelet-serving kubernetes.io/legacy-unknown',
    ),
    resourceRule('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    writesEvents,
  ],
  'clusterrole-aggregation-controller': [
    resourceRule('escalate get list patch update watch', rbacGroup, 'clusterroles'),
  ],
  'cronjob-controller': [
    resourceRule('get list update watch', 'batch', 'cronjobs'),
    resourceRule('create delete get list patch update watch', 'batch', 'jobs'),
    resourceRule('update', 'batch', 'cronjobs/status'),
    resourceRule('update', 'batch', 'cronjobs/finalizers'),
    resourceRule('delete list', 'core', 'pods'),
    writesEvents,
  ],
  'daemon-set-controller': [
    resourceRule('read', workloadGroups, 'daemonsets'),
    resourceRule('update', workloadGroups, 'daemonsets/status'),
    resourceRule('update', workloadGroups, 'daemonsets/finalizers'),
    resourceRule('list watch', 'core', 'nodes'),
    resourceRule('create delete list patch watch', 'core', 'pods'),
    resourceRule('create', 'core', 'pods/binding'),
    resourceRule('create delete get list patch update watch', 'apps', 'controllerrevisions'),
    writesEvents,
  ],
  'deployment-controller': [
    resourceRule('get list update watch', workloadGroups, 'deployments'),
    resourceRule('update', workloadGroups, 'deployments/status'),
    resourceRule('update', workloadGroups, 'deployments/finalizers'),
    resourceRule('create delete get list patch update watch', workloadGroups, 'replicasets'),
    resourceRule('get list update watch', 'core', 'pods'),
    writesEvents,
  ],
  'disruption-controller': [
    resourceRule('read', workloadGroups, 'deployments'),
    resourceRule('read', workloadGroups, 'replicasets'),
    resourceRule('read', 'core', 'replicationcontrollers'),
    resourceRule('read', 'policy', 'poddisruptionbudgets'),
    resourceRule('read', 'apps', 'statefulsets'),
    resourceRule('update', 'policy', 'poddisruptionbudgets/status'),
    resourceRule('patch update', 'core', 'pods/status'),
    resourceRule('get', '*', '*/scale'),
    writesEvents,
  ],
  'endpoint-controller': [
    resourceRule('read', 'core', 'pods services'),
    resourceRule('create delete get list update', 'core', 'endpoints'),
    resourceRule('create', 'core', 'endpoints/restricted'),
    writesEvents,
  ],
  'endpointslice-controller': [
    resourceRule('read', 'core', 'nodes pods services'),
    resourceRule('update', 'core', 'services/finalizers'),
    resourceRule('create delete get list update', 'discovery.k8s.io', 'endpointslices'),
    writesEvents,
  ],
  'endpointslicemirroring-controller': [
    resourceRule('read', 'core', 'endpoints services'),
    resourceRule('update', 'core', 'services/finalizers'),
    resourceRule('update', 'core', 'endpoints/finalizers'),
    resourceRule('create delete get list update', 'discovery.k8s.io', 'endpointslices'),
    writesEvents,
  ],
  'ephemeral-volume-controller': [
    resourceRule('update', 'core', 'pods/finalizers'),
    resourceRule('read', 'core', 'pods'),
    resourceRule('create get list watch', 'core', 'persistentvolumeclaims'),
    writesEvents,
  ],
  'expand-controller': [
    resourceRule('get list patch update watch', 'core', 'persistentvolumes'),
    resourceRule('patch update', 'core', 'persistentvolumeclaims/status'),
    resourceRule('read', 'core', 'persistentvolumeclaims'),
    resourceRule('read', 'storage.k8s.io', 'storageclasses'),
    resourceRule('get', 'core', 'endpoints services'),
    resourceRule('get', 'core', 'secrets'),
    writesEvents,
  ],
  'generic-garbage-collector': [resourceRule('delete get list patch update watch', '*', '*'), writesEvents],
  'horizontal-pod-autoscaler': [
    resourceRule('read', 'autoscaling', 'horizontalpodautoscalers'),
    resourceRule('update', 'autoscaling', 'horizontalpodautoscalers/status'),
    resourceRule('get update', '*', '*/scale'),
    resourceRule('list', 'core', 'pods'),
    resourceRule('list', 'metrics.k8s.io', 'pods'),
    resourceRule('get list', 'custom.metrics.k8s.io', '*'),
    resourceRule('get list', 'external.metrics.k8s.io', '*'),
    writesEvents,
  ],
  'job-controller': [
    resourceRule('get list patch update watch', 'batch', 'jobs'),
    resourceRule('update', 'batch', 'jobs/status'),
    resourceRule('update', 'batch', 'jobs/finalizers'),
    resourceRule('create delete list patch watch', 'core', 'pods'),
    writesEvents,
  ],
  'legacy-service-account-token-cleaner': [
    resourceRule('get', 'core', 'configmaps', 'kube-apiserver-legacy-service-account-token-tracking'),
    resourceRule('delete patch', 'core', 'secrets'),
  ],
  'namespace-controller': [
    resourceRule('delete get list watch', 'core', 'namespaces'),
    resourceRule('update', 'core', 'namespaces/finalize namespaces/status'),
    resourceRule('delete deletecollection get list', '*', '*'),
  ],
  'node-controller': [
    resourceRule('delete get list patch update watch', 'core', 'nodes'),
    resourceRule('patch update', 'core', 'nodes/status'),
    resourceRule('patch update', 'core', 'pods/status'),
    resourceRule('delete get list', 'core', 'pods'),
    writesEvents,
  ],
  'persistent-volume-binder': [
    resourceRule('create delete get list update watch', 'core', 'persistentvolumes'),
    resourceRule('update', 'core', 'persistentvolumes/status'),
    resourceRule('get list update watch', 'core', 'persistentvolumeclaims'),
    resourceRule('update', 'core', 'persistentvolumeclaims/status'),
    resourceRule('create delete get list watch', 'core', 'pods'),
    resourceRule('read', 'storage.k8s.io', 'storageclasses'),
    resourceRule('create delete get update', 'core', 'endpoints services'),
    resourceRule('get list', 'core', 'secrets'),
    resourceRule('read', 'core', 'nodes'),
    writesEvents,
  ],
  'pod-garbage-collector': [
    resourceRule('delete list watch', 'core', 'pods'),
    resourceRule('get list', 'core', 'nodes'),
    resourceRule('patch', 'core', 'pods/status'),
  ],
  'pv-protection-controller': [resourceRule('get list update watch', 'core', 'persistentvolumes'), writesEvents],
  'pvc-protection-controller': [
    resourceRule('get list update watch', 'core', 'persistentvolumeclaims'),
    resourceRule('read', 'core', 'pods'),
    writesEvents,
  ],
  'replicaset-controller': [
    resourceRule('get list update watch', workloadGroups, 'replicasets'),
    resourceRule('update', workloadGroups, 'replicasets/status'),
    resourceRule('update', workloadGroups, 'replicasets/finalizers'),
    resourceRule('create delete list patch watch', 'core', 'pods'),
    writesEvents,
  ],
  'replication-controller': [
    resourceRule('get list update watch', 'core', 'replicationcontrollers'),
    resourceRule('update', 'core', 'replicationcontrollers/status'),
    resourceRule('update', 'core', 'replicationcontrollers/finalizers'),
    resourceRule('create delete list patch watch', 'core', 'pods'),
    writesEvents,
  ],
  'resourcequota-controller': [
    resourceRule('list watch', '*', '*'),
    resourceRule('update', 'core', 'resourcequotas/status'),
    writesEvents,
  ],
  'root-ca-cert-publisher': [resourceRule('create update', 'core', 'configmaps'), writesEvents],
  'route-controller': [
    resourceRule('list watch', 'core', 'nodes'),
    resourceRule('patch', 'core', 'nodes/status'),
    writesEvents,
  ],
  'service-account-controller': [resourceRule('create', 'core', 'serviceaccounts'), writesEvents],
  'service-controller': [
    resourceRule('read', 'core', 'services'),
    resourceRule('patch update', 'core', 'services/status'),
    resourceRule('list watch', 'core', 'nodes'),
    writesEvents,
  ],
  'statefulset-controller': [
    resourceRule('list watch', 'core', 'pods'),
    resourceRule('read', 'apps', 'statefulsets'),
    resourceRule('update', 'apps', 'statefulsets/status'),
    resourceRule('update', 'apps', 'statefulsets/finalizers'),
    resourceRule('create delete get patch update', 'core', 'pods'),
    resourceRule('create delete get list patch update watch', 'apps', 'controllerrevisions'),
    resourceRule('create get', 'core', 'persistentvolumeclaims'),
    resourceRule('delete update', 'core', 'persistentvolumeclaims'),
    writesEvents,
  ],
  'ttl-after-finished-controller': [resourceRule('delete get list watch', 'batch', 'jobs'), writesEvents],
  'ttl-controller': [resourceRule('list patch update watch', 'core', 'nodes'), writesEvents],
};

/** Controllers that came with a later minor. */
type LaterController = { readonly since: number; readonly until?: number; readonly rules: readonly PolicyRule[] };

const laterControllers: Readonly<Record<string, LaterController>> = {
  'taint-eviction-controller': {
    since: 29,
    until: 35,
    rules: [
      resourceRule('delete get list watch', 'core', 'pods'),
      resourceRule('read', 'core', 'nodes'),
      resourceRule('patch', 'core', 'pods/status'),
      writesEvents,
    ],
  },
  'validatingadmissionpolicy-status-controller': {
    since: 30,
    rules: [
      resourceRule('read', 'admissionregistration.k8s.io', 'validatingadmissionpolicies'),
      resourceRule('patch update get', 'admissionregistration.k8s.io', 'validatingadmissionpolicies/status'),
      writesEvents,
    ],
  },
  'service-cidrs-controller': {
    since: 33,
    rules: [
      resourceRule('get list patch update watch', 'networking.k8s.io', 'servicecidrs'),
      resourceRule('patch update', 'networking.k8s.io', 'servicecidrs/finalizers servicecidrs/status'),
      resourceRule('read', 'networking.k8s.io', 'ipaddresses'),
      writesEvents,
    ],
  },
  'selinux-warning-controller': {
    since: 33,
    rules: [
      resourceRule('read', 'core', 'persistentvolumeclaims persistentvolumes pods'),
      resourceRule('read', 'storage.k8s.io', 'csidrivers'),
      writesEvents,
    ],
  },
  'resource-claim-controller': {
    since: 34,
    rules: [
      resourceRule('read', 'core', 'pods'),
      resourceRule('update', 'core', 'pods/finalizers'),
      resourceRule('create delete get list watch', 'resource.k8s.io', 'resourceclaims'),
      resourceRule('read', 'resource.k8s.io', 'resourceclaimtemplates'),
      resourceRule('patch update', 'resource.k8s.io', 'resourceclaims resourceclaims/status'),
      resourceRule('patch update', 'core', 'pods/status'),
      writesEvents,
    ],
  },
  'volumeattributesclass-protection-controller': {
    since: 34,
    rules: [
      resourceRule('read', 'core', 'persistentvolumeclaims persistentvolumes'),
      resourceRule('get list update watch', 'storage.k8s.io', 'volumeattributesclasses'),
      writesEvents,
    ],
  },
};

const nameOf = (controller: string): string => `system:controller:${controller}`;

/** The roles of the controllers of a minor, and their bindings. */
export function controllerRoles(minor: number): { roles: readonly ApiObject[]; bindings: readonly ApiObject[] } {
  const later = Object.entries(laterControllers).filter(
    ([, { since, until = minor }]) => since <= minor && minor <= until,
  );
  const rules = Object.entries({
    ...rulesOfControllers,
    ...Object.fromEntries(later.map(([name, { rules: held }]) => [name, held])),
    ...(minor >= 36 && newestControllerRules),
  });
  return {
    roles: rules.map(([name, held]) => defaultRole(nameOf(name), held)),
    bindings: rules.map(([name]) => defaultBinding(nameOf(name), [`ServiceAccount ${name}`])),
  };
}

import type { ApiObject } from '../storage/api-object.ts';

const roleGroup = 'rbac.authorization.k8s.io';

type ResourceRule = { readonly apiGroups: readonly string[]; readonly resources: readonly string[] };

/** The resources that `edit` may change. */
const workloads: readonly ResourceRule[] = [
  {
    apiGroups: [''],
    resources: [
      'configmaps',
      'events',
      'persistentvolumeclaims',
      'pods',
      'replicationcontrollers',
      'replicationcontrollers/scale',
      'serviceaccounts',
      'services',
    ],
  },
  {
    apiGroups: ['apps'],
    resources: [
      'daemonsets',
      'deployments',
      'deployments/scale',
      'replicasets',
      'replicasets/scale',
      'statefulsets',
      'statefulsets/scale',
    ],
  },
  { apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'] },
  { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'] },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'networkpolicies'] },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'] },
];

/** Resources that the default roles may read and not change. */
const readOnlyResources: readonly ResourceRule[] = [
  {
    apiGroups: [''],
    resources: [
      'bindings',
      'endpoints',
      'limitranges',
      'namespaces',
      'namespaces/status',
      'persistentvolumeclaims/status',
      'pods/log',
      'pods/status',
      'replicationcontrollers/status',
      'resourcequotas',
      'resourcequotas/status',
      'services/status',
    ],
  },
  {
    apiGroups: ['apps'],
    resources: ['controllerrevisions', 'daemonsets/status', 'deployments/status', 'replicasets/status'],
  },
  { apiGroups: ['batch'], resources: ['cronjobs/status', 'jobs/status'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'] },
];

const podConnections: ResourceRule = {
  apiGroups: [''],
  resources: ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy'],
};
const secrets: ResourceRule = { apiGroups: [''], resources: ['secrets'] };
const roles: ResourceRule = { apiGroups: [roleGroup], resources: ['roles', 'rolebindings'] };

const reads = ['get', 'list', 'watch'];
const writes = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const withVerbs = (verbs: readonly string[], rules: readonly ResourceRule[]) =>
  rules.map((rule) => ({ ...rule, verbs }));

const view = withVerbs(reads, [...workloads, ...readOnlyResources]);
const edit = [
  ...view,
  ...withVerbs(writes, workloads),
  ...withVerbs([...reads, ...writes], [secrets, podConnections]),
  ...withVerbs(['create'], [{ apiGroups: [''], resources: ['pods/eviction', 'serviceaccounts/token'] }]),
  ...withVerbs(['impersonate'], [{ apiGroups: [''], resources: ['serviceaccounts'] }]),
];
const admin = [
  ...edit,
  ...withVerbs([...reads, ...writes], [roles]),
  ...withVerbs(['create'], [{ apiGroups: ['authorization.k8s.io'], resources: ['localsubjectaccessreviews'] }]),
];
const unrestrictedRules = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

const defaults = {
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
};

/** The default roles of every cluster: `cluster-admin`, `admin`, `edit`, `view`. */
export const defaultRoles: readonly ApiObject[] = Object.entries({
  admin,
  'cluster-admin': unrestrictedRules,
  edit,
  view,
}).map(([name, rules]) => ({
  kind: 'ClusterRole',
  apiVersion: `${roleGroup}/v1`,
  metadata: { name, ...defaults },
  rules,
}));

/** Members of `system:masters` may do everything. */
export const administratorBinding: ApiObject = {
  kind: 'ClusterRoleBinding',
  apiVersion: `${roleGroup}/v1`,
  metadata: { name: 'cluster-admin', ...defaults },
  roleRef: { apiGroup: roleGroup, kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: roleGroup, kind: 'Group', name: 'system:masters' }],
};

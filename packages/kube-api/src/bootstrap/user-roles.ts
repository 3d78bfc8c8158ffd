import { type PolicyRule, rbacGroup } from '../auth/rbac.ts';
import { pathRule, resourceRule } from '../auth/rule-notation.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { defaultBinding, defaultRole } from './role-notation.ts';

const unrestricted: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

const workloads =
  'daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status';

const viewed: readonly PolicyRule[] = [
  resourceRule(
    'read',
    'core',
    'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
  ),
  resourceRule(
    'read',
    'core',
    'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
  ),
  resourceRule('read', 'core', 'namespaces'),
  resourceRule('read', 'discovery.k8s.io', 'endpointslices'),
  resourceRule('read', 'apps', `controllerrevisions ${workloads} statefulsets statefulsets/scale statefulsets/status`),
  resourceRule('read', 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  resourceRule('read', 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
  resourceRule(
    'read',
    'extensions',
    `${workloads} ingresses ingresses/status networkpolicies replicationcontrollers/scale`,
  ),
  resourceRule('read', 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
  resourceRule('read', 'networking.k8s.io', 'ingresses ingresses/status networkpolicies'),
];

const connections = 'pods/attach pods/exec pods/portforward pods/proxy';

const edited: readonly PolicyRule[] = [
  resourceRule('read', 'core', `${connections} secrets services/proxy`),
  resourceRule('impersonate', 'core', 'serviceaccounts'),
  resourceRule('write', 'core', `pods ${connections}`),
  resourceRule('create', 'core', 'pods/eviction'),
  resourceRule(
    'write',
    'core',
    'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
  ),
  resourceRule('create', 'core', 'serviceaccounts/token'),
  resourceRule(
    'write',
    'apps',
    'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
  ),
  resourceRule('write', 'autoscaling', 'horizontalpodautoscalers'),
  resourceRule('write', 'batch', 'cronjobs jobs'),
  resourceRule(
    'write',
    'extensions',
    'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
  ),
  resourceRule('write', 'policy', 'poddisruptionbudgets'),
  resourceRule('write', 'networking.k8s.io', 'ingresses networkpolicies'),
  resourceRule('all', 'coordination.k8s.io', 'leases'),
];

/** Claims of devices, since they are on by default; and events of their own group. */
const laterViewed = (minor: number): readonly PolicyRule[] => [
  ...(minor >= 34
    ? [resourceRule('read', 'resource.k8s.io', 'resourceclaims resourceclaims/status resourceclaimtemplates')]
    : []),
  ...(minor >= 36 ? [resourceRule('read', 'events.k8s.io', 'events')] : []),
];

const laterEdited = (minor: number): readonly PolicyRule[] => [
  ...(minor >= 34 ? [resourceRule('write', 'resource.k8s.io', 'resourceclaims resourceclaimtemplates')] : []),
  ...(minor >= 36 ? [resourceRule('write', 'events.k8s.io', 'events')] : []),
];

const administered: readonly PolicyRule[] = [
  resourceRule('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
  resourceRule('all', rbacGroup, 'roles rolebindings'),
];

const aggregationLabel = (role: string): string => `rbac.authorization.k8s.io/aggregate-to-${role}`;

/** A role whose rules are those of the roles with its label. */
const aggregatedRole = (name: string, labels: Readonly<Record<string, string>> = {}): ApiObject => ({
  ...defaultRole(name, [], { labels }),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregationLabel(name)]: 'true' } }] },
});

/** The roles that are meant for people. */
export const userRoles = (minor: number): readonly ApiObject[] => [
  aggregatedRole('admin'),
  defaultRole('cluster-admin', unrestricted),
  aggregatedRole('edit', { [aggregationLabel('admin')]: 'true' }),
  aggregatedRole('view', { [aggregationLabel('edit')]: 'true' }),
  defaultRole('system:aggregate-to-admin', administered, { labels: { [aggregationLabel('admin')]: 'true' } }),
  defaultRole('system:aggregate-to-edit', [...edited, ...laterEdited(minor)], {
    labels: { [aggregationLabel('edit')]: 'true' },
  }),
  defaultRole('system:aggregate-to-view', [...viewed, ...laterViewed(minor)], {
    labels: { [aggregationLabel('view')]: 'true' },
  }),
  defaultRole('system:discovery', [
    pathRule('/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/'),
  ]),
  defaultRole('system:public-info-viewer', [pathRule('/healthz /livez /readyz /version /version/')]),
  defaultRole('system:basic-user', [
    resourceRule('create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
    resourceRule('create', 'authentication.k8s.io', 'selfsubjectreviews'),
  ]),
  defaultRole('system:monitoring', [
    pathRule(
      `/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*${minor >= 36 ? ' /flagz /statusz' : ''}`,
    ),
    ...(minor >= 36 ? [resourceRule('get', 'core', 'nodes/metrics')] : []),
  ]),
];

export const userBindings: readonly ApiObject[] = [
  defaultBinding('cluster-admin', ['Group system:masters']),
  defaultBinding('system:basic-user', ['Group system:authenticated']),
  defaultBinding('system:discovery', ['Group system:authenticated']),
  defaultBinding('system:monitoring', ['Group system:monitoring']),
  defaultBinding('system:public-info-viewer', ['Group system:authenticated', 'Group system:unauthenticated']),
];

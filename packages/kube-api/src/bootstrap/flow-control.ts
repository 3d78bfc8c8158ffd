import { bootstrapFlow, everyRequest, exemptLevel, type FlowRules, limitedLevel } from './flow-notation.ts';

/** The priority levels of every cluster. */
export const priorityLevels = [
  exemptLevel('exempt'),
  limitedLevel('catch-all', { shares: 5, lendable: 0 }),
  limitedLevel('global-default', { shares: 20, lendable: 50, queues: 128, handSize: 6 }),
  limitedLevel('leader-election', { shares: 10, lendable: 0, queues: 16, handSize: 4 }),
  limitedLevel('node-high', { shares: 40, lendable: 25, queues: 64, handSize: 6 }),
  limitedLevel('system', { shares: 30, lendable: 33, queues: 64, handSize: 6 }),
  limitedLevel('workload-high', { shares: 40, lendable: 50, queues: 128, handSize: 6 }),
  limitedLevel('workload-low', { shares: 100, lendable: 90, queues: 128, handSize: 6 }),
];

const everybody = ['Group system:unauthenticated', 'Group system:authenticated'];
const leaderElectors = ['User system:kube-controller-manager', 'User system:kube-scheduler', 'ServiceAccount *'];
const endpointWriters = [
  'User system:kube-controller-manager',
  'ServiceAccount endpoint-controller',
  'ServiceAccount endpointslicemirroring-controller',
];

const namespacedRequests = (apiGroups: readonly string[], resources: readonly string[], namespace: string): object => ({
  verbs: ['get', 'create', 'update'],
  apiGroups,
  resources,
  namespaces: [namespace],
});

const leaseRules = (namespace: string): FlowRules => ({
  resourceRules: [namespacedRequests(['coordination.k8s.io'], ['leases'], namespace)],
});

const nodeHeartbeats: FlowRules = {
  resourceRules: [
    { verbs: ['*'], apiGroups: [''], resources: ['nodes', 'nodes/status'], clusterScope: true, namespaces: ['*'] },
    { verbs: ['*'], apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] },
  ],
};

const healthRules: FlowRules = {
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
};

/** The flow schemas of every cluster. */
export const flowSchemas = [
  bootstrapFlow('exempt', { level: 'exempt', precedence: 1, subjects: ['Group system:masters'], rules: everyRequest }),
  bootstrapFlow('probes', { level: 'exempt', precedence: 2, subjects: everybody, rules: healthRules }),
  bootstrapFlow('system-leader-election', {
    level: 'leader-election',
    precedence: 100,
    by: 'ByUser',
    subjects: leaderElectors,
    rules: leaseRules('kube-system'),
  }),
  bootstrapFlow('endpoint-controller', {
    level: 'workload-high',
    precedence: 150,
    by: 'ByUser',
    subjects: endpointWriters,
    rules: { resourceRules: [namespacedRequests([''], ['endpoints'], '*')] },
  }),
  bootstrapFlow('workload-leader-election', {
    level: 'leader-election',
    precedence: 200,
    by: 'ByUser',
    subjects: ['ServiceAccount *'],
    rules: leaseRules('*'),
  }),
  bootstrapFlow('system-node-high', {
    level: 'node-high',
    precedence: 400,
    by: 'ByUser',
    subjects: ['Group system:nodes'],
    rules: nodeHeartbeats,
  }),
  bootstrapFlow('system-nodes', {
    level: 'system',
    precedence: 500,
    by: 'ByUser',
    subjects: ['Group system:nodes'],
    rules: everyRequest,
  }),
  bootstrapFlow('kube-controller-manager', {
    level: 'workload-high',
    precedence: 800,
    by: 'ByNamespace',
    subjects: ['User system:kube-controller-manager'],
    rules: everyRequest,
  }),
  bootstrapFlow('kube-scheduler', {
    level: 'workload-high',
    precedence: 800,
    by: 'ByNamespace',
    subjects: ['User system:kube-scheduler'],
    rules: everyRequest,
  }),
  bootstrapFlow('kube-system-service-accounts', {
    level: 'workload-high',
    precedence: 900,
    by: 'ByNamespace',
    subjects: ['ServiceAccount *'],
    rules: everyRequest,
  }),
  bootstrapFlow('service-accounts', {
    level: 'workload-low',
    precedence: 9000,
    by: 'ByUser',
    subjects: ['Group system:serviceaccounts'],
    rules: everyRequest,
  }),
  bootstrapFlow('global-default', {
    level: 'global-default',
    precedence: 9900,
    by: 'ByUser',
    subjects: everybody,
    rules: everyRequest,
  }),
  bootstrapFlow('catch-all', {
    level: 'catch-all',
    precedence: 10_000,
    by: 'ByUser',
    subjects: everybody,
    rules: everyRequest,
  }),
];

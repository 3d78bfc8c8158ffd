import { type ObjectRefusal, specPatch } from './valid-objects.ts';

const rule = (fields: object): object => ({ rules: [fields] });
const path = (fields: object): object =>
  specPatch({
    rules: [{ http: { paths: [{ backend: { service: { name: 'web', port: { number: 80 } } }, ...fields }] } }],
  });
const peer = (fields: object): object => specPatch({ ingress: [{ from: [fields] }] });
const metric = (fields: object): object => specPatch({ metrics: [fields] });
const target = { type: 'Utilization', averageUtilization: 50 };

/** New objects about access, networks, storage and scaling. */
export const refusedPolicies: readonly ObjectRefusal[] = [
  [
    'role',
    rule({ verbs: [] }),
    'rules[0].verbs: Required value: verbs must contain at least one value',
    'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
    'rules[0].resources: Required value: resource rules must supply at least one resource',
  ],
  [
    'role',
    rule({ verbs: ['get'], nonResourceURLs: ['/'] }),
    'rules[0].nonResourceURLs: Invalid value: ["/"]: namespaced rules cannot apply to non-resource URLs',
  ],
  [
    'clusterRole',
    rule({ verbs: ['get'], nonResourceURLs: ['/'], resources: ['pods'] }),
    'rules[0].nonResourceURLs: Invalid value: ["/"]: rules cannot apply to both regular resources and non-resource URLs',
  ],
  [
    'roleBinding',
    { roleRef: { kind: 'Rolle', name: '' } },
    'roleRef.kind: Unsupported value: "Rolle": supported values: "Role", "ClusterRole"',
    'roleRef.name: Required value',
  ],
  [
    'clusterRoleBinding',
    { subjects: [{ kind: 'ServiceAccount', name: 'a' }] },
    'subjects[0].namespace: Required value',
  ],
  [
    'clusterRoleBinding',
    { subjects: [{ kind: 'User', name: '', apiGroup: 'x' }] },
    'subjects[0].name: Required value',
    'subjects[0].name: Invalid value: "": user name cannot be empty',
    'subjects[0].apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"',
  ],
  [
    'clusterRoleBinding',
    { roleRef: { kind: 'Role' } },
    'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
  ],

  [
    'ingress',
    specPatch({ rules: [] }),
    'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
  ],
  [
    'ingress',
    specPatch({ rules: [{ host: '10.0.0.1' }] }),
    'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
  ],
  ['ingress', path({}), 'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified'],
  [
    'ingress',
    path({ pathType: 'Exact', path: 'a//b' }),
    'spec.rules[0].http.paths[0].path: Invalid value: "a//b": must be an absolute path',
    'spec.rules[0].http.paths[0].path: Invalid value: "a//b": must not contain \'//\'',
  ],
  [
    'ingress',
    path({ pathType: 'Some' }),
    'spec.rules[0].http.paths[0].pathType: Unsupported value: "Some": supported values: "Exact", "ImplementationSpecific", "Prefix"',
  ],
  [
    'ingress',
    path({ pathType: 'Prefix', path: '/', backend: null }),
    'spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required',
  ],
  [
    'ingress',
    specPatch({ defaultBackend: { service: { name: 'web' } } }),
    'spec.defaultBackend: Required value: port name or number is required',
  ],
  [
    'ingress',
    specPatch({ defaultBackend: { service: { name: 'web', port: { number: 70000 } } } }),
    'spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'ingressClass',
    specPatch({ controller: 'plain' }),
    'spec.controller: Invalid value: "plain": must be a domain-prefixed path (such as "acme.io/foo")',
  ],
  [
    'ingressClass',
    specPatch({ parameters: { kind: 'A', name: 'b', scope: 'Cluster', namespace: 'c' } }),
    "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
  ],

  [
    'networkPolicy',
    specPatch({ policyTypes: ['In'] }),
    'spec.policyTypes[0]: Unsupported value: "In": supported values: "Ingress", "Egress"',
  ],
  ['networkPolicy', peer({}), 'spec.ingress[0].from[0]: Required value: must specify a peer'],
  [
    'networkPolicy',
    peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }),
    'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
  ],
  [
    'networkPolicy',
    peer({ ipBlock: { cidr: '10.0.0.300/8' } }),
    'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.300/8": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ],
  [
    'networkPolicy',
    peer({ podSelector: {}, ipBlock: { cidr: '::/0' } }),
    'spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer',
  ],
  [
    'networkPolicy',
    specPatch({ egress: [{ ports: [{ port: 'web', endPort: 5 }] }] }),
    'spec.egress[0].ports[0].endPort: Invalid value: 5: may not be specified when `port` is non-numeric',
  ],

  [
    'claim',
    specPatch({ accessModes: ['Write'] }),
    'spec.accessModes: Unsupported value: "Write": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
  ],
  [
    'claim',
    specPatch({ accessModes: null, resources: null }),
    'spec.accessModes: Required value: at least 1 access mode is required',
    'spec.resources[storage]: Required value',
  ],
  [
    'claim',
    specPatch({ resources: { requests: { storage: '0' } } }),
    'spec.resources[storage]: Invalid value: "0": must be greater than zero',
  ],
  ['volume', specPatch({ csi: null }), 'spec: Required value: must specify a volume type'],
  ['volume', specPatch({ hostPath: { path: '/' } }), 'spec.csi: Forbidden: may not specify more than 1 volume type'],
  [
    'volume',
    specPatch({ capacity: null }),
    'spec.capacity: Required value',
    'spec.capacity: Unsupported value: null: supported values: "storage"',
  ],
  [
    'volume',
    specPatch({ persistentVolumeReclaimPolicy: 'Keep' }),
    'spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Recycle", "Retain"',
  ],

  [
    'autoscaler',
    specPatch({ minReplicas: 0, maxReplicas: 0 }),
    'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
    'spec.maxReplicas: Required value: must be set and greater than 0',
    'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
  ],
  [
    'autoscaler',
    specPatch({ minReplicas: 6 }),
    'spec.maxReplicas: Invalid value: 5: must be greater than or equal to `minReplicas`',
  ],
  ['autoscaler', specPatch({ scaleTargetRef: { kind: '' } }), 'spec.scaleTargetRef.kind: Required value'],
  [
    'autoscaler',
    metric({ type: 'Resource', pods: { metric: { name: 'm' }, target } }),
    'spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue',
    'spec.metrics[0].resource: Required value: must populate information for the given metric source',
  ],
  [
    'autoscaler',
    metric({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }),
    'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
  ],
  [
    'autoscaler',
    specPatch({ behavior: { scaleUp: { policies: [{ type: 'Pods', value: 0, periodSeconds: 2000 }] } } }),
    'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
    'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 2000: must be less than or equal to 1800',
  ],
];

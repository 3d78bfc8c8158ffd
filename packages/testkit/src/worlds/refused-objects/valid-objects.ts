/** Objects that the tables of refusals change. All of them are accepted. */
export const validObjects = {
  role: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
  },
  clusterRole: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
  },
  roleBinding: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    roleRef: { kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'default' }],
  },
  clusterRoleBinding: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    roleRef: { kind: 'ClusterRole', name: 'reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'a' }],
  },
  ingress: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    spec: {
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
          },
        },
      ],
    },
  },
  ingressClass: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    spec: { controller: 'example.com/ingress' },
  },
  networkPolicy: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    spec: {
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [
        { from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 80, endPort: 90 }] },
      ],
    },
  },
  claim: {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  volume: {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      csi: { driver: 'ebs', volumeHandle: 'vol-1' },
    },
  },
  autoscaler: {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    spec: {
      maxReplicas: 5,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
    },
  },
  cronJob: {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    spec: {
      schedule: '*/5 0-6 1,15 jan-mar ?',
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
      },
    },
  },
  job: {
    apiVersion: 'batch/v1',
    kind: 'Job',
    spec: { template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'c', image: 'i' }] } } },
  },
  deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
  daemonSet: {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
  statefulSet: {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    spec: {
      serviceName: 'web',
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
  pod: { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'c', image: 'i' }] } },
  service: { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80 }] } },
  endpointSlice: {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'] }],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
  },
  endpoints: { apiVersion: 'v1', kind: 'Endpoints', subsets: [{ addresses: [{ ip: '10.1.2.3' }] }] },
  quota: { apiVersion: 'v1', kind: 'ResourceQuota', spec: { hard: { pods: '4', 'requests.cpu': '2' } } },
  limitRange: {
    apiVersion: 'v1',
    kind: 'LimitRange',
    spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' } }] },
  },
  priorityClass: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 7 },
  storageClass: { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: 'ebs.csi.aws.com' },
  runtimeClass: { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', handler: 'runc' },
  lease: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: { leaseDurationSeconds: 15 } },
  budget: { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: { minAvailable: '50%' } },
  node: { apiVersion: 'v1', kind: 'Node', spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
  secret: { apiVersion: 'v1', kind: 'Secret', data: { a: 'YQ==' } },
  configMap: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } },
  namespace: { apiVersion: 'v1', kind: 'Namespace' },
} as const;

/** A kind, by the name that the tables use for it. */
export type ValidKind = keyof typeof validObjects;

/** A merge patch that makes a valid object invalid, and the causes that are printed then. */
export type ObjectRefusal = readonly [kind: ValidKind, change: object, ...causes: string[]];

/** Changes of the specification. */
export const specPatch = (fields: object): object => ({ spec: fields });

/** Changes of the one container of a pod. */
export const containerPatch = (fields: object): object =>
  specPatch({ containers: [{ name: 'c', image: 'i', ...fields }] });

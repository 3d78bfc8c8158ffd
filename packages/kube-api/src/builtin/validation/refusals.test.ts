import { describe, expect, test } from 'vitest';
import { printCause } from '../../schema/cause.ts';
import type { JsonObject } from '../../schema/json.ts';
import { applyMergePatch } from '../../patch/merge-patch.ts';
import { groupVersionKindOf } from '../../schema/definitions.ts';
import { defaultBuiltin } from '../defaults.ts';
import { validateBuiltin } from '../validate.ts';

/** The objects that the tables change. All of them are accepted. */
const valid = {
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
      scaleTargetRef: { kind: 'Deployment', name: 'web' },
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

type Kind = keyof typeof valid;
type Refusal = readonly [kind: Kind, change: object, ...causes: string[]];

const asJson = (value: object): JsonObject => structuredClone(value) as JsonObject;

function objectOf(kind: Kind, change: object = {}): JsonObject {
  const base = asJson({ metadata: { name: 'a', namespace: 'default', uid: 'u' }, ...valid[kind] });
  const outcome = applyMergePatch(base, asJson(change));
  if (outcome.kind !== 'patched') throw new Error('no patch');
  return outcome.value as JsonObject;
}

const completeObject = (object: JsonObject): JsonObject => defaultBuiltin(groupVersionKindOf(object), object);

function causesOf(object: JsonObject, old?: JsonObject, subresource = ''): string[] {
  const type = groupVersionKindOf(object);
  return validateBuiltin({ type, object, ...(old && { old }), subresource }).map(printCause);
}

test.each(Object.keys(valid) as Kind[])('the %s is accepted, and so is an update that changes nothing', (kind) => {
  const object = completeObject(objectOf(kind));
  expect(causesOf(object)).toEqual([]);
  expect(causesOf(object, object)).toEqual([]);
});

const spec = (fields: object): object => ({ spec: fields });
const rule = (fields: object): object => ({ rules: [fields] });
const one = (fields: object): object => spec({ containers: [{ name: 'c', image: 'i', ...fields }] });
const path = (fields: object): object =>
  spec({ rules: [{ http: { paths: [{ backend: { service: { name: 'web', port: { number: 80 } } }, ...fields }] } }] });
const peer = (fields: object): object => spec({ ingress: [{ from: [fields] }] });
const metric = (fields: object): object => spec({ metrics: [fields] });
const target = { type: 'Utilization', averageUtilization: 50 };

const refusals: readonly Refusal[] = [
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

  ['ingress', spec({ rules: [] }), 'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
  [
    'ingress',
    spec({ rules: [{ host: '10.0.0.1' }] }),
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
    spec({ defaultBackend: { service: { name: 'web' } } }),
    'spec.defaultBackend: Required value: port name or number is required',
  ],
  [
    'ingress',
    spec({ defaultBackend: { service: { name: 'web', port: { number: 70000 } } } }),
    'spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'ingressClass',
    spec({ controller: 'plain' }),
    'spec.controller: Invalid value: "plain": must be a domain-prefixed path (such as "acme.io/foo")',
  ],
  [
    'ingressClass',
    spec({ parameters: { kind: 'A', name: 'b', scope: 'Cluster', namespace: 'c' } }),
    "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
  ],

  [
    'networkPolicy',
    spec({ policyTypes: ['In'] }),
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
    spec({ egress: [{ ports: [{ port: 'web', endPort: 5 }] }] }),
    'spec.egress[0].ports[0].endPort: Invalid value: 5: may not be specified when `port` is non-numeric',
  ],

  [
    'claim',
    spec({ accessModes: ['Write'] }),
    'spec.accessModes: Unsupported value: "Write": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
  ],
  [
    'claim',
    spec({ accessModes: null, resources: null }),
    'spec.accessModes: Required value: at least 1 access mode is required',
    'spec.resources[storage]: Required value',
  ],
  [
    'claim',
    spec({ resources: { requests: { storage: '0' } } }),
    'spec.resources[storage]: Invalid value: "0": must be greater than zero',
  ],
  ['volume', spec({ csi: null }), 'spec: Required value: must specify a volume type'],
  ['volume', spec({ hostPath: { path: '/' } }), 'spec.hostPath: Forbidden: may not specify more than 1 volume type'],
  ['volume', spec({ capacity: null }), 'spec.capacity: Required value'],
  [
    'volume',
    spec({ persistentVolumeReclaimPolicy: 'Keep' }),
    'spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Recycle", "Retain"',
  ],

  [
    'autoscaler',
    spec({ minReplicas: 0, maxReplicas: 0 }),
    'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
    'spec.maxReplicas: Invalid value: 0: must be greater than 0',
  ],
  [
    'autoscaler',
    spec({ minReplicas: 6 }),
    'spec.maxReplicas: Invalid value: 5: must be greater than or equal to `minReplicas`',
  ],
  ['autoscaler', spec({ scaleTargetRef: { kind: '' } }), 'spec.scaleTargetRef.kind: Required value'],
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
    spec({ behavior: { scaleUp: { policies: [{ type: 'Pods', value: 0, periodSeconds: 2000 }] } } }),
    'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
    'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 2000: must be less than or equal to 1800',
  ],

  ...(
    [
      ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
      ['60 * * * *', 'end of range (60) above maximum (59): 60'],
      ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
      ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
      ['*/0 * * * *', 'step of range should be a positive number: */0'],
      ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
      ['@often', 'unrecognized descriptor: @often'],
    ] as const
  ).map(([schedule, problem]): Refusal => [
    'cronJob',
    spec({ schedule }),
    `spec.schedule: Invalid value: ${JSON.stringify(schedule)}: ${problem}`,
  ]),
  [
    'cronJob',
    spec({ schedule: 'TZ=UTC 0 * * * *' }),
    'spec.schedule: Invalid value: "TZ=UTC 0 * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  ],
  [
    'cronJob',
    spec({ timeZone: 'Mars/Base' }),
    'spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base',
  ],
  [
    'cronJob',
    spec({ concurrencyPolicy: 'Queue' }),
    'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
  ],
  [
    'cronJob',
    spec({ jobTemplate: { spec: { template: { spec: { restartPolicy: 'Always' } } } } }),
    'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  ['job', spec({ backoffLimit: -1 }), 'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0'],
  [
    'job',
    spec({ completionMode: 'Indexed', completions: null, parallelism: 1 }),
    'spec.completions: Required value: when completion mode is Indexed',
  ],

  [
    'deployment',
    spec({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ],
  [
    'deployment',
    spec({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }),
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
  ],
  [
    'deployment',
    spec({ minReadySeconds: 600 }),
    'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
  ],
  [
    'deployment',
    spec({ template: { spec: { restartPolicy: 'Never' } } }),
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ],
  [
    'daemonSet',
    spec({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
  ],
  [
    'statefulSet',
    spec({ podManagementPolicy: 'Some' }),
    "spec.podManagementPolicy: Invalid value: \"Some\": must be 'OrderedReady' or 'Parallel'",
  ],
  [
    'statefulSet',
    spec({ updateStrategy: { rollingUpdate: { partition: -1 } } }),
    'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
  ],

  [
    'pod',
    spec({ volumes: [{ name: 'v' }, { name: 'v', emptyDir: {} }] }),
    'spec.volumes[1].name: Duplicate value: "v"',
  ],
  [
    'pod',
    one({ env: [{ name: '' }, { name: 'A', valueFrom: {} }] }),
    'spec.containers[0].env[0].name: Required value',
    'spec.containers[0].env[1].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
  ],
  [
    'pod',
    one({ livenessProbe: { successThreshold: 2, exec: { command: [] } } }),
    'spec.containers[0].livenessProbe.exec.command: Required value',
    'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
  ],
  [
    'pod',
    one({ resources: { requests: { gpu: '1' } } }),
    'spec.containers[0].resources.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers',
  ],
  [
    'pod',
    one({ resources: { requests: { 'example.com/gpu': '1' } } }),
    'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
  ],
  [
    'pod',
    one({ ports: [{ containerPort: 80, hostPort: 90000 }] }),
    'spec.containers[0].ports[0].hostPort: Invalid value: 90000: must be between 1 and 65535, inclusive',
  ],
  [
    'pod',
    one({ securityContext: { runAsUser: -1 } }),
    'spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
  ],
  [
    'pod',
    spec({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } }),
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
  ],
  [
    'pod',
    spec({
      affinity: {
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, podAffinityTerm: {} }] },
      },
    }),
    'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
    'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Required value: can not be empty',
  ],
  [
    'pod',
    spec({ topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Hope' }] }),
    'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
    'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
    'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Hope": supported values: "DoNotSchedule", "ScheduleAnyway"',
  ],
  [
    'pod',
    spec({ activeDeadlineSeconds: 0 }),
    'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
  ],
  ['pod', spec({ schedulingGates: [{ name: 'a' }, { name: 'a' }] }), 'spec.schedulingGates[1]: Duplicate value: "a"'],

  [
    'service',
    spec({ ports: [{ port: 0 }] }),
    'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
    'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
  ],
  [
    'service',
    spec({
      ports: [
        { port: 80, name: 'a' },
        { port: 80, name: 'a' },
      ],
    }),
    'spec.ports[1].name: Duplicate value: "a"',
    'spec.ports[1]: Duplicate value: {"Protocol":"TCP","Port":80}',
  ],
  [
    'service',
    spec({ ports: [{ port: 80, nodePort: 30080 }] }),
    "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
  ],
  [
    'service',
    spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
    'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
  ['service', spec({ type: 'ExternalName' }), 'spec.externalName: Required value'],
  [
    'service',
    spec({ sessionAffinity: 'Sticky' }),
    'spec.sessionAffinity: Unsupported value: "Sticky": supported values: "ClientIP", "None"',
  ],
  [
    'service',
    spec({ externalTrafficPolicy: 'Local' }),
    'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
  ],

  [
    'endpointSlice',
    { addressType: 'Phone' },
    'addressType: Unsupported value: "Phone": supported values: "FQDN", "IPv4", "IPv6"',
  ],
  [
    'endpointSlice',
    { endpoints: [{ addresses: ['127.0.0.1'] }] },
    'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  [
    'endpointSlice',
    { endpoints: [{ addresses: [] }] },
    'endpoints[0].addresses: Required value: must contain at least 1 address',
  ],
  ['endpoints', { subsets: [{}] }, 'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],

  [
    'quota',
    spec({ hard: { things: '1' } }),
    'spec.hard[things]: Invalid value: "things": must be a standard resource for quota',
  ],
  ['quota', spec({ hard: { pods: '1500m' } }), 'spec.hard[pods]: Invalid value: "1500m": must be an integer'],
  [
    'quota',
    spec({ scopes: ['BestEffort', 'NotBestEffort'], hard: { pods: 1, 'requests.cpu': null } }),
    'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
  ],
  [
    'limitRange',
    spec({ limits: [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } }] }),
    'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
    'spec.limits[0].default[cpu]: Invalid value: "1": min value 2 is greater than default value 1',
  ],
  [
    'limitRange',
    spec({ limits: [{ type: 'Box' }] }),
    'spec.limits[0].type: Invalid value: "Box": must be a standard limit type or fully qualified',
  ],
  [
    'limitRange',
    spec({ limits: [{ type: 'Pod', default: { cpu: '1' } }] }),
    "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
  ],

  [
    'priorityClass',
    { value: 1_000_000_001 },
    'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
  ],
  [
    'priorityClass',
    { metadata: { name: 'system-mine' } },
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
  ],
  ['storageClass', { provisioner: '' }, 'provisioner: Required value'],
  [
    'storageClass',
    { reclaimPolicy: 'Recycle' },
    'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
  ],
  [
    'runtimeClass',
    { handler: 'Run C' },
    "handler: Invalid value: \"Run C\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
  ['lease', spec({ leaseDurationSeconds: 0 }), 'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
  ['budget', spec({ minAvailable: '150%' }), 'spec.minAvailable: Invalid value: "150%": must not be greater than 100%'],
  [
    'node',
    spec({
      taints: [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'a', effect: 'NoSchedule', value: 'b' },
      ],
    }),
    'metadata.taints[1]: Duplicate value: {"key":"a","effect":"NoSchedule","value":"b"}',
  ],
  ['secret', { type: 'kubernetes.io/dockerconfigjson' }, 'data[.dockerconfigjson]: Required value'],
  ['configMap', { binaryData: { a: 'YQ==' } }, 'data[a]: Invalid value: "a": duplicate of key present in binaryData'],
];

for (const [kind, change, ...causes] of refusals) {
  test(`a new ${kind} with ${JSON.stringify(change)} is refused`, () => {
    expect(causesOf(completeObject(objectOf(kind, change)))).toEqual(causes);
  });
}

const immutable = 'field is immutable';

const changes: readonly Refusal[] = [
  [
    'roleBinding',
    { roleRef: { name: 'writer' } },
    'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"writer"}: cannot change roleRef',
  ],
  [
    'ingressClass',
    spec({ controller: 'example.com/other' }),
    `spec.controller: Invalid value: "example.com/other": ${immutable}`,
  ],
  [
    'claim',
    spec({ resources: { requests: { storage: '2Gi' } } }),
    'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
  ],
  [
    'volume',
    spec({ csi: { volumeHandle: 'vol-2' } }),
    'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
  ],
  ['job', spec({ completions: 3 }), `spec.completions: Invalid value: 3: ${immutable}`],
  [
    'deployment',
    spec({ selector: { matchLabels: { app: 'web', tier: 'a' } }, template: { metadata: { labels: { tier: 'a' } } } }),
    `spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"a"}}: ${immutable}`,
  ],
  [
    'pod',
    spec({
      containers: [
        { name: 'c', image: 'i' },
        { name: 'd', image: 'i' },
      ],
    }),
    'spec.containers: Forbidden: pod updates may not add or remove containers',
  ],
  [
    'pod',
    spec({ schedulingGates: [{ name: 'late' }] }),
    "spec.schedulingGates: Forbidden: only deletion is allowed, but found new scheduling gate 'late'",
  ],
  ['endpointSlice', { addressType: 'IPv6', endpoints: [] }, `addressType: Invalid value: "IPv6": ${immutable}`],
  ['quota', spec({ scopes: ['Terminating'] }), `spec.scopes: Invalid value: ["Terminating"]: ${immutable}`],
  ['priorityClass', { value: 8 }, 'value: Forbidden: may not be changed in an update.'],
  ['storageClass', { provisioner: 'other' }, 'provisioner: Forbidden: updates to provisioner are forbidden.'],
  ['runtimeClass', { handler: 'kata' }, `handler: Invalid value: "kata": ${immutable}`],
];

for (const [kind, change, ...causes] of changes) {
  test(`a ${kind} that is changed by ${JSON.stringify(change)} is refused`, () => {
    expect(causesOf(completeObject(objectOf(kind, change)), completeObject(objectOf(kind)))).toEqual(causes);
  });
}

type SubresourceRefusal = readonly [subresource: string, kind: Kind, change: object, ...causes: string[]];

const status = (fields: object): object => ({ status: fields });

const subresources: readonly SubresourceRefusal[] = [
  [
    'status',
    'deployment',
    status({ replicas: 1, readyReplicas: 2 }),
    'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
  ],
  [
    'status',
    'daemonSet',
    status({ numberReady: -1 }),
    'status.numberReady: Invalid value: -1: must be greater than or equal to 0',
  ],
  ['status', 'job', status({ active: -1 }), 'status.active: Invalid value: -1: must be greater than or equal to 0'],
  [
    'status',
    'budget',
    status({ expectedPods: -1 }),
    'status.expectedPods: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'status',
    'namespace',
    status({ phase: 'Terminating' }),
    'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
  ],
  [
    'status',
    'ingress',
    status({ loadBalancer: { ingress: [{ ip: 'here' }] } }),
    'status.loadBalancer.ingress[0].ip: Invalid value: "here": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    'status',
    'quota',
    status({ used: { things: '1' } }),
    'status.used[things]: Invalid value: "things": must be a standard resource for quota',
  ],
  [
    'ephemeralcontainers',
    'pod',
    spec({ ephemeralContainers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1 }], targetContainerName: 'x' }] }),
    'spec.ephemeralContainers[0].name: Duplicate value: "c"',
    'spec.ephemeralContainers[0].targetContainerName: Not found: "x"',
    'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
  ],
  [
    'resize',
    'pod',
    one({ resources: { requests: { cpu: '1' } } }),
    'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
  ],
];

describe('a write to a subresource', () => {
  for (const [subresource, kind, change, ...causes] of subresources) {
    test(`${subresource} of a ${kind} with ${JSON.stringify(change)} is refused`, () => {
      const object = completeObject(objectOf(kind, change));
      expect(causesOf(object, completeObject(objectOf(kind)), subresource)).toEqual(causes);
    });
  }
});

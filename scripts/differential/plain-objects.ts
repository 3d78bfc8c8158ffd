import { validObjects } from '@nodewright/testkit/worlds';
import type { JsonMap } from './step.ts';

const containers = [
  { name: 'c', image: 'i:1', ports: [{ containerPort: 80 }], resources: { requests: { cpu: '100m', memory: '64Mi' } } },
];
const template = { metadata: { labels: { app: 'web' } }, spec: { containers } };
const selector = { matchLabels: { app: 'web' } };
const clientConfig = { url: 'https://127.0.0.1:1/check' };
const noRules = [{ apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }];
const matchConstraints = { resourceRules: noRules };
const webhooks = [
  { name: 'check.example.com', clientConfig, rules: noRules, sideEffects: 'None', admissionReviewVersions: ['v1'] },
];
const devices = { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] };

/** More objects that every server takes, beside those of the tables of refusals. */
const furtherObjects: readonly JsonMap[] = [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i:latest',
          env: [{ name: 'A', value: 'b' }, { name: 'P', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          livenessProbe: { httpGet: { path: '/', port: 80 } },
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
          securityContext: { runAsUser: 1 },
        },
      ],
      initContainers: [{ name: 'i', image: 'i', restartPolicy: 'Always' }],
      volumes: [{ name: 'v', emptyDir: {} }],
      tolerations: [{ key: 'a', operator: 'Exists' }],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: selector, topologyKey: 'zone' }],
        },
      },
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector },
      ],
    },
  },
  { apiVersion: 'v1', kind: 'Pod', spec: { nodeName: 'n', terminationGracePeriodSeconds: 0, containers } },
  { apiVersion: 'v1', kind: 'PodTemplate', template },
  { apiVersion: 'v1', kind: 'ReplicationController', spec: { replicas: 1, selector: { app: 'web' }, template } },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', spec: { replicas: 2, selector, template } },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    spec: {
      serviceName: 's',
      selector,
      template,
      volumeClaimTemplates: [
        {
          metadata: { name: 'd' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  },
  { apiVersion: 'apps/v1', kind: 'ControllerRevision', revision: 1, data: { a: 1 } },
  { apiVersion: 'v1', kind: 'ServiceAccount' },
  { apiVersion: 'v1', kind: 'Service', spec: { type: 'NodePort', selector: { app: 'web' }, ports: [{ port: 80 }] } },
  { apiVersion: 'v1', kind: 'Service', spec: { type: 'ExternalName', externalName: 'a.example.com' } },
  { apiVersion: 'v1', kind: 'Service', spec: { clusterIP: 'None', ports: [{ port: 80, name: 'http' }] } },
  { apiVersion: 'v1', kind: 'Service', spec: { type: 'LoadBalancer', ports: [{ port: 443, targetPort: 'https' }] } },
  {
    apiVersion: 'v1',
    kind: 'Event',
    involvedObject: { kind: 'Pod', namespace: 'case-RUN', name: 'a' },
    reason: 'Tried',
    message: 'm',
    type: 'Normal',
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    count: 1,
    source: { component: 'c' },
  },
  {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'c-1',
    action: 'Try',
    reason: 'Tried',
    type: 'Normal',
    note: 'n',
    regarding: { kind: 'Pod', namespace: 'case-RUN', name: 'a' },
  },
  {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    spec: {
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    },
  },
  {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    spec: {
      signerName: 'example.com/signer',
      usages: ['client auth'],
      request:
        'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIS01ISUNBUUF3RURFT01Bd0dBMVVFQXd3RllXUnRhVzR3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQgpCd05DQUFRPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    spec: { parentRef: { resource: 'services', name: 'a', namespace: 'default' } },
  },
  { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', spec: { cidrs: ['10.77.0.0/24'] } },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    spec: { defaultBackend: { service: { name: 'web', port: { name: 'http' } } }, tls: [{ hosts: ['a.example.com'] }] },
  },
  { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', spec: {} },
  { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', spec: { drivers: [{ name: 'ebs', nodeID: 'i-1' }] } },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    storageClassName: 'gp3',
    capacity: '1Gi',
    nodeTopology: { matchLabels: { zone: 'a' } },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    spec: { attacher: 'ebs', nodeName: 'n', source: { persistentVolumeName: 'v' } },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    driverName: 'ebs.csi.aws.com',
    parameters: { iops: '3000' },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    spec: {
      reinvocationPolicy: 'Never',
      matchConstraints,
      mutations: [
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' } },
      ],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    spec: { policyName: 'p-RUN' },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    spec: { matchConstraints, validations: [{ expression: 'object.metadata.name != "x"', message: 'no x' }] },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    spec: { policyName: 'p-RUN', validationActions: ['Deny'] },
  },
  { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', webhooks },
  { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', webhooks },
  {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    spec: {
      group: 'RUN.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'none' },
    },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: {
      group: 'RUN.example.com',
      names: { plural: 'things', kind: 'Thing' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } },
          },
        },
      ],
    },
  },
  { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', spec: { selectors: [{ cel: { expression: 'true' } }] } },
  { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', spec: { devices } },
  { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', spec: { spec: { devices } } },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    spec: {
      driver: 'gpu.example.com',
      nodeName: 'n',
      pool: { name: 'n', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'gpu-0', attributes: { model: { string: 'a' } } }],
    },
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    spec: {
      priorityLevelConfiguration: { name: 'workload-low' },
      matchingPrecedence: 9_000,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'nobody' } }],
          nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/none'] }],
        },
      ],
    },
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
  },
];

const requirements = [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }];
const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

const customObjects: readonly JsonMap[] = [
  {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    spec: {
      template: { spec: { nodeClassRef, requirements, expireAfter: '720h' } },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s', budgets: [{ nodes: '10%' }] },
      limits: { cpu: '100' },
      weight: 10,
    },
  },
  { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', spec: { nodeClassRef, requirements } },
  {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    spec: {
      role: 'r',
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: [{ tags: { a: 'b' } }],
      securityGroupSelectorTerms: [{ id: 'sg-12345678' }],
      tags: { team: 'x' },
      blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '20Gi', volumeType: 'gp3' } }],
    },
  },
];

/** What a server answers to and forgets. */
const questions: readonly JsonMap[] = [
  { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'nonsense' } },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'LocalSubjectAccessReview',
    spec: { user: 'u', resourceAttributes: { namespace: 'case-RUN', verb: 'get', resource: 'pods' } },
  },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
  },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user: 'u', groups: ['g'], nonResourceAttributes: { verb: 'get', path: '/healthz' } },
  },
  { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: 'case-RUN' } },
];

/** Objects from which requests are made. */
export const plainObjects: readonly JsonMap[] = [
  ...(Object.values(validObjects) as unknown as readonly JsonMap[]),
  ...furtherObjects,
  ...customObjects,
  ...questions,
];

import { type ObjectRefusal, specPatch } from './valid-objects.ts';

/** New services, quotas, classes, nodes and other objects of the cluster. */
export const refusedClusterObjects: readonly ObjectRefusal[] = [
  [
    'service',
    specPatch({ ports: [{ port: 0 }] }),
    'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
    'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
  ],
  [
    'service',
    specPatch({
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
    specPatch({ ports: [{ port: 80, nodePort: 30080 }] }),
    "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
  ],
  [
    'service',
    specPatch({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
    'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
  ['service', specPatch({ type: 'ExternalName' }), 'spec.externalName: Required value'],
  [
    'service',
    specPatch({ ports: [{ port: 80, appProtocol: 'a/b/c' }] }),
    "spec.ports[0].appProtocol: Invalid value: \"a/b/c\": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  ],
  [
    'service',
    specPatch({ sessionAffinity: 'Sticky' }),
    'spec.sessionAffinity: Unsupported value: "Sticky": supported values: "ClientIP", "None"',
  ],
  [
    'service',
    specPatch({ externalTrafficPolicy: 'Local' }),
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
    specPatch({ hard: { things: '1' } }),
    'spec.hard[things]: Invalid value: "things": must be a standard resource for quota',
  ],
  ['quota', specPatch({ hard: { pods: '1500m' } }), 'spec.hard[pods]: Invalid value: "1500m": must be an integer'],
  [
    'quota',
    specPatch({ scopes: ['BestEffort', 'NotBestEffort'], hard: { pods: 1, 'requests.cpu': null } }),
    'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
  ],
  [
    'limitRange',
    specPatch({ limits: [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } }] }),
    'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
    'spec.limits[0].default[cpu]: Invalid value: "1": min value 2 is greater than default value 1',
  ],
  [
    'limitRange',
    specPatch({ limits: [{ type: 'Box' }] }),
    'spec.limits[0].type: Invalid value: "Box": must be a standard limit type or fully qualified',
  ],
  [
    'limitRange',
    specPatch({ limits: [{ type: 'Pod', default: { cpu: '1' } }] }),
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
  [
    'lease',
    specPatch({ leaseDurationSeconds: 0 }),
    'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
  ],
  [
    'budget',
    specPatch({ minAvailable: '150%' }),
    'spec.minAvailable: Invalid value: "150%": must not be greater than 100%',
  ],
  [
    'node',
    specPatch({
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

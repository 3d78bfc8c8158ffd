import { describe, expect, test } from 'vitest';
import { printCause } from '../../schema/cause.ts';
import { groupVersionKindOf } from '../../schema/definitions.ts';
import { applyMergePatch } from '../../patch/merge-patch.ts';
import type { JsonObject } from '../../schema/json.ts';
import { defaultBuiltin } from '../defaults.ts';
import { validateBuiltin } from '../validate.ts';

/** Objects that are acceptedServerObjects, of kinds that configure the server, its storage and its devices. */
const acceptedServerObjects = {
  flow: {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    spec: {
      priorityLevelConfiguration: { name: 'workload-low' },
      matchingPrecedence: 9000,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'nobody' } }],
          nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/none'] }],
        },
      ],
    },
  },
  level: {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
  },
  attachment: {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    spec: { attacher: 'ebs', nodeName: 'n', source: { persistentVolumeName: 'v' } },
  },
  storageNode: {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    spec: { drivers: [{ name: 'ebs', nodeID: 'i-1' }] },
  },
  volumeClass: {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    driverName: 'ebs.csi.aws.com',
    parameters: { iops: '3000' },
  },
  range: { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', spec: { cidrs: ['10.77.0.0/24'] } },
  revision: { apiVersion: 'apps/v1', kind: 'ControllerRevision', revision: 1, data: { a: 1 } },
  claim: {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] } },
  },
  deviceClass: {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] },
  },
  slice: {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    spec: {
      driver: 'gpu.example.com',
      nodeName: 'n',
      pool: { name: 'n', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'gpu-0', attributes: { model: { string: 'a' } } }],
    },
  },
  apiService: {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.example.com' },
    spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
  },
} as const;

type AcceptedKind = keyof typeof acceptedServerObjects;

function changedServerObject(kind: AcceptedKind, change: object): JsonObject {
  const base = {
    metadata: { name: 'a', uid: 'u' },
    ...structuredClone(acceptedServerObjects[kind]),
  } as unknown as JsonObject;
  const outcome = applyMergePatch(base, change as JsonObject);
  if (outcome.kind !== 'patched') throw new Error('no patch');
  const object = outcome.value as JsonObject;
  return defaultBuiltin(groupVersionKindOf(object), object);
}

const causesIn = (object: JsonObject, old?: JsonObject): string[] =>
  validateBuiltin({ type: groupVersionKindOf(object), object, ...(old && { old }) }).map(printCause);

test.each(Object.keys(acceptedServerObjects) as AcceptedKind[])(
  'the %s is acceptedServerObjects, and an update that refusedUpdates nothing',
  (kind) => {
    const object = changedServerObject(kind, {});
    expect(causesIn(object)).toEqual([]);
    expect(causesIn(object, object)).toEqual([]);
  },
);

const inSpec = (change: object): object => ({ spec: change });

const refusedCreations: readonly (readonly [AcceptedKind, object, ...string[]])[] = [
  ['revision', { data: 'a' }, 'data: Required value: data must be a valid JSON object'],
  [
    'flow',
    inSpec({ rules: [{ nonResourceRules: [{ verbs: [], nonResourceURLs: ['1'] }] }] }),
    'spec.rules[0].subjects: Required value: subjects must contain at least one value',
    'spec.rules[0].nonResourceRules[0].verbs: Required value: verbs must contain at least one value',
    'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "1": must start with slash',
  ],
  [
    'flow',
    inSpec({ distinguisherMethod: { type: 'x' } }),
    'spec.distinguisherMethod.type: Unsupported value: {"Type":"x"}: supported values: "ByNamespace", "ByUser"',
  ],
  ['level', inSpec({ type: null }), 'spec.type: Required value'],
  ['level', inSpec({ exempt: {} }), 'spec.exempt: Forbidden: must be nil if the type is Limited'],
  [
    'level',
    inSpec({ limited: { limitResponse: { type: 'c' } } }),
    'spec.limited.limitResponse.type: Unsupported value: "c": supported values: "Queue", "Reject"',
  ],
  [
    'attachment',
    inSpec({ source: { inlineVolumeSpec: {} } }),
    'spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
  ],
  [
    'storageNode',
    inSpec({
      drivers: [
        { name: 'ebs', nodeID: 'i-1' },
        { name: 'ebs', nodeID: '' },
      ],
    }),
    'spec.drivers[1].nodeID: Required value',
    'spec.drivers[1].name: Duplicate value: "ebs"',
  ],
  ['volumeClass', { parameters: null }, 'parameters: Required value: must contain at least one key/value pair'],
  ['range', inSpec({ cidrs: [] }), 'spec.cidrs: Required value: at least one CIDR required'],
  [
    'range',
    inSpec({ cidrs: ['10.77.0.0/24', '10.0.0.0/8'] }),
    'spec.cidrs: Invalid value: ["10.77.0.0/24","10.0.0.0/8"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
  ],
  ['revision', { revision: -1 }, 'revision: Invalid value: -1: must be greater than or equal to 0'],
  [
    'claim',
    inSpec({ devices: { requests: [{ name: 'gpu' }], constraints: [{ requests: ['x'], matchAttribute: 'a' }] } }),
    'spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
    'spec.devices.constraints[0].requests[0]: Invalid value: "x": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
    'spec.devices.constraints[0].matchAttribute: Invalid value: "a": a fully qualified name must be a domain and a name separated by a slash',
  ],
  ['deviceClass', inSpec({ selectors: [{}] }), 'spec.selectors[0].cel: Required value'],
  [
    'deviceClass',
    inSpec({ selectors: [{ cel: { expression: '1 + 1' } }] }),
    'spec.selectors[0].cel.expression: Invalid value: "1 + 1": must evaluate to bool or the unknown type, not int',
  ],
  [
    'slice',
    inSpec({ allNodes: true }),
    'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set',
  ],
  [
    'slice',
    inSpec({ devices: [{ name: 'gpu-0', attributes: { model: { version: 'a' } } }] }),
    'spec.devices[0].attributes[model].version: Invalid value: "a": must be a string compatible with semver.org spec 2.0.0',
  ],
  [
    'slice',
    inSpec({ nodeName: null, nodeSelector: { nodeSelectorTerms: [] } }),
    'spec.nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term',
    'spec.nodeSelector.nodeSelectorTerms: Invalid value: []: must have exactly one node selector term',
  ],
  [
    'slice',
    inSpec({
      devices: [{ name: 'gpu-0', bindingConditions: ['http'], bindingFailureConditions: ['web', 'http'] }],
    }),
    'spec.devices[0].bindingFailureConditions[1]: Invalid value: "http": bindingFailureConditions must not overlap with bindingConditions',
  ],
  [
    'apiService',
    inSpec({ insecureSkipTLSVerify: true }),
    'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
  ],
];

describe('a new object', () => {
  for (const [kind, change, ...causes] of refusedCreations) {
    test(`of the kind ${kind} with ${JSON.stringify(change)} is refused`, () => {
      expect(causesIn(changedServerObject(kind, change))).toEqual(causes);
    });
  }
});

const refusedUpdates: readonly (readonly [AcceptedKind, object, ...string[]])[] = [
  [
    'attachment',
    inSpec({ nodeName: 'm' }),
    'spec: Invalid value: {"attacher":"ebs","nodeName":"m","source":{"persistentVolumeName":"v"}}: field is immutable',
  ],
  ['volumeClass', { driverName: 'other' }, 'driverName: Forbidden: updates to driverName are forbidden.'],
  ['range', inSpec({ cidrs: ['10.78.0.0/24'] }), 'spec.cidrs[0]: Invalid value: "10.78.0.0/24": field is immutable'],
  ['revision', { data: { a: 2 } }, 'data: Invalid value: {"a":2}: field is immutable'],
];

describe('an update', () => {
  for (const [kind, change, ...causes] of refusedUpdates) {
    test(`of the kind ${kind} to ${JSON.stringify(change)} is refused`, () => {
      expect(causesIn(changedServerObject(kind, change), changedServerObject(kind, {}))).toEqual(causes);
    });
  }
});

test('rules that came with a minor version are not in force before it', () => {
  const scaler: JsonObject = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a', namespace: 'default' },
    spec: { maxReplicas: 5, scaleTargetRef: { kind: 'Deployment', name: 'web' } },
  };
  const causes = (minor: number) =>
    validateBuiltin({ type: { ...groupVersionKindOf(scaler), minor }, object: scaler }).map(({ field }) => field);
  expect([causes(35), causes(36)]).toEqual([[], ['spec.scaleTargetRef.apiVersion']]);
});

import {
  containerPatch,
  type ObjectRefusal,
  refusedClusterObjects,
  refusedPolicies,
  refusedWorkloads,
  specPatch,
  type ValidKind,
  validObjects,
} from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { printCause } from '../../schema/cause.ts';
import type { JsonObject } from '../../schema/json.ts';
import { applyMergePatch } from '../../patch/merge-patch.ts';
import { groupVersionKindOf } from '../../schema/definitions.ts';
import { defaultBuiltin } from '../defaults.ts';
import { validateBuiltin } from '../validate.ts';
import { jobSelector } from '../workload-defaults.ts';

const asJson = (value: object): JsonObject => structuredClone(value) as JsonObject;

function objectOf(kind: ValidKind, change: object = {}): JsonObject {
  const base = asJson({ metadata: { name: 'a', namespace: 'default', uid: 'u' }, ...validObjects[kind] });
  const outcome = applyMergePatch(base, asJson(change));
  if (outcome.kind !== 'patched') throw new Error('no patch');
  return outcome.value as JsonObject;
}

/** With its defaults, and with what the server generates for a job. */
function completeObject(object: JsonObject): JsonObject {
  const complete = defaultBuiltin(groupVersionKindOf(object), object);
  return object['kind'] === 'Job' ? jobSelector(complete, 'u') : complete;
}

function causesOf(object: JsonObject, old?: JsonObject, subresource = ''): string[] {
  const type = groupVersionKindOf(object);
  return validateBuiltin({ type, object, ...(old && { old }), subresource }).map(printCause);
}

test.each(Object.keys(validObjects) as ValidKind[])(
  'the %s is accepted, and so is an update that changes nothing',
  (kind) => {
    const object = completeObject(objectOf(kind));
    expect(causesOf(object)).toEqual([]);
    expect(causesOf(object, object)).toEqual([]);
  },
);

test('the amounts of a limit range may be anything', () => {
  const limits = [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '-1' } }];
  expect(causesOf(completeObject(objectOf('limitRange', specPatch({ limits }))))).toEqual([]);
});

const refusals = [...refusedPolicies, ...refusedWorkloads, ...refusedClusterObjects];

for (const [kind, change, ...causes] of refusals) {
  test(`a new ${kind} with ${JSON.stringify(change)} is refused`, () => {
    expect(causesOf(completeObject(objectOf(kind, change)))).toEqual(causes);
  });
}

const immutable = 'field is immutable';

const changes: readonly ObjectRefusal[] = [
  [
    'roleBinding',
    { roleRef: { name: 'writer' } },
    'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"writer"}: cannot change roleRef',
  ],
  [
    'ingressClass',
    specPatch({ controller: 'example.com/other' }),
    `spec.controller: Invalid value: "example.com/other": ${immutable}`,
  ],
  [
    'claim',
    specPatch({ resources: { requests: { storage: '2Gi' } } }),
    'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
  ],
  [
    'volume',
    specPatch({ csi: { volumeHandle: 'vol-2' } }),
    'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
  ],
  ['job', specPatch({ completions: 3 }), `spec.completions: Invalid value: 3: ${immutable}`],
  [
    'deployment',
    specPatch({
      selector: { matchLabels: { app: 'web', tier: 'a' } },
      template: { metadata: { labels: { tier: 'a' } } },
    }),
    `spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"a"}}: ${immutable}`,
  ],
  [
    'pod',
    specPatch({
      containers: [
        { name: 'c', image: 'i' },
        { name: 'd', image: 'i' },
      ],
    }),
    'spec.containers: Forbidden: pod updates may not add or remove containers',
  ],
  [
    'pod',
    specPatch({ schedulingGates: [{ name: 'late' }] }),
    "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'late'",
  ],
  ['endpointSlice', { addressType: 'IPv6', endpoints: [] }, `addressType: Invalid value: "IPv6": ${immutable}`],
  ['quota', specPatch({ scopes: ['Terminating'] }), `spec.scopes: Invalid value: ["Terminating"]: ${immutable}`],
  ['priorityClass', { value: 8 }, 'value: Forbidden: may not be changed in an update.'],
  ['storageClass', { provisioner: 'other' }, `provisioner: Invalid value: "other": ${immutable}`],
  ['runtimeClass', { handler: 'kata' }, `handler: Invalid value: "kata": ${immutable}`],
];

for (const [kind, change, ...causes] of changes) {
  test(`a ${kind} that is changed by ${JSON.stringify(change)} is refused`, () => {
    expect(causesOf(completeObject(objectOf(kind, change)), completeObject(objectOf(kind)))).toEqual(causes);
  });
}

type SubresourceRefusal = readonly [subresource: string, kind: ValidKind, change: object, ...causes: string[]];

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
    specPatch({
      ephemeralContainers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1 }], targetContainerName: 'x' }],
    }),
    'spec.ephemeralContainers[0].name: Duplicate value: "c"',
    'spec.ephemeralContainers[0].targetContainerName: Not found: "x"',
    'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
  ],
  [
    'resize',
    'pod',
    containerPatch({ resources: { requests: { cpu: '1' } } }),
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

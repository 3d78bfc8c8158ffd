import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultBuiltin } from '../builtin/defaults.ts';
import { groupVersionKindOf } from '../schema/definitions.ts';
import type { JsonObject } from '../schema/json.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { WireError } from './wire.ts';

/** What kubectl 1.33 sends for `kubectl create <kind> ...`. */
const sent = JSON.parse(
  readFileSync(new URL('../../testdata/protobuf/kubectl-creates.json', import.meta.url), 'utf8'),
) as Record<string, string>;

const decoded = (name: string): JsonObject => decodeProtobuf(Buffer.from(sent[name] ?? '', 'base64'));

test.each([
  { name: 'namespace', object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } },
  {
    name: 'configmap',
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } },
  },
  { name: 'secret', object: { kind: 'Secret', metadata: { name: 's' }, data: { a: 'Yg==' } } },
  { name: 'serviceaccount', object: { kind: 'ServiceAccount', metadata: { name: 'robot' } } },
  {
    name: 'deployment',
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'nginx', image: 'nginx:1', ports: [{ containerPort: 80 }] }] },
        },
      },
    },
  },
  {
    name: 'job',
    object: {
      spec: {
        template: { spec: { containers: [{ command: ['echo', 'hi'], image: 'busybox' }], restartPolicy: 'Never' } },
      },
    },
  },
  {
    name: 'service',
    object: { spec: { ports: [{ name: '80-8080', protocol: 'TCP', port: 80, targetPort: 8080 }], type: 'ClusterIP' } },
  },
  { name: 'poddisruptionbudget', object: { spec: { minAvailable: '50%', selector: { matchLabels: { a: 'b' } } } } },
  { name: 'selfsubjectaccessreview', object: { spec: { resourceAttributes: { verb: 'list', resource: 'pods' } } } },
  {
    name: 'clusterrolebinding',
    object: {
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' }],
      roleRef: { kind: 'ClusterRole', name: 'r' },
    },
  },
  { name: 'resourcequota', object: { spec: { hard: { pods: '1' } } } },
  { name: 'priorityclass', object: { kind: 'PriorityClass', value: 5 } },
  { name: 'cronjob', object: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: {} } } } } },
])('kubectl create $name is read as the object it means', ({ name, object }) => {
  expect(decoded(name)).toMatchObject(object);
});

test('a time that is not set is left out', () => {
  expect(decoded('namespace')['metadata']).toEqual({ name: 'shop' });
});

test('a deployment that was sent as protobuf gets the same defaults as one in JSON', () => {
  const object = decoded('deployment');
  expect(defaultBuiltin(groupVersionKindOf(object), object)).toMatchObject({
    spec: { replicas: 0, revisionHistoryLimit: 10, template: { spec: { restartPolicy: 'Always' } } },
  });
});

test('bytes that are no message of the API are refused', () => {
  expect(() => decodeProtobuf(Buffer.from('{}'))).toThrow(WireError);
  const cut = Buffer.from(sent['deployment'] ?? '', 'base64').subarray(0, 60);
  expect(() => decodeProtobuf(cut)).toThrow(WireError);
});

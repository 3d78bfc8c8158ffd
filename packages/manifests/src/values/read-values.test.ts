import { expect, test } from 'vitest';
import { readInstallValues } from './read-values.ts';
import type { SettingCatalogue } from './setting-values.ts';

const defaults = new Map([
  ['clusterName', ''],
  ['metricsPort', '8080'],
  ['healthProbePort', '8081'],
  ['disableLeaderElection', 'false'],
]);

const catalogue: SettingCatalogue = {
  names: [...defaults.keys()],
  variableOf: (name) => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase(),
  defaultOf: (name) => defaults.get(name) ?? '',
  complaintAbout: (name, text) =>
    name.endsWith('Port') && !/^\d+$/.test(text) ? `must be a port, not "${text}"` : undefined,
};

const required = { image: 'registry.example.com/nodewright:0.1.0', settings: { clusterName: 'prod' } };

const complaintsAbout = (given: unknown) => readInstallValues(given, catalogue).complaints;

test('two values are required, and every other one has a default', () => {
  const { values, complaints } = readInstallValues(required, catalogue);
  expect(complaints).toEqual([]);
  expect(values).toMatchObject({ name: 'karpenter', replicas: 2, resources: { cpu: '1', memory: '1Gi' } });
  expect(complaintsAbout({ ...required, replicas: null, proxy: null })).toEqual([]);
});

test('every mistake is told at once, with its field, its value and what would be right', () => {
  const given = {
    image: 'nodewright',
    replicas: 0,
    namespace: 'Nodes',
    tolerations: [{ key: 'a' }, { operator: 'Any' }],
    settings: { clusterName: 'prod', metricsPort: 'http' },
  };
  expect(complaintsAbout(given)).toEqual([
    'namespace: must be the name of an object: up to 63 small letters, digits and "-", not "Nodes"',
    'image: must be an image with a tag or a digest, such as registry.example.com/nodewright:0.1.0, not "nodewright"',
    'replicas: must be a whole number from 1, not 0',
    'settings.metricsPort: must be a port, not "http"',
    'tolerations[1].operator: must be Exists or Equal, not "Any"',
  ]);
});

test('all that is required is told at once', () => {
  expect(complaintsAbout({})).toEqual([
    'image: is required: an image with a tag or a digest, such as registry.example.com/nodewright:0.1.0',
    'settings.clusterName: is required: the name of the EKS cluster',
  ]);
});

test.each([
  [{}, 'image: is required: an image with a tag or a digest, such as registry.example.com/nodewright:0.1.0'],
  [[], 'the values: must be an object with fields, not []'],
  ['text', 'the values: must be an object with fields, not "text"'],
  [{ ...required, replica: 3 }, 'replica: there is no such field; did you mean replicas?'],
  [{ ...required, resources: { cpus: 1 } }, 'resources.cpus: there is no such field; did you mean cpu?'],
  [{ ...required, constructor: 1 }, /^constructor: there is no such field; /],
  [
    { ...required, settings: { clusterNme: 'a' } },
    'settings.clusterNme: there is no such field; did you mean clusterName?',
  ],
  [{ ...required, settings: {} }, 'settings.clusterName: is required: the name of the EKS cluster'],
  [
    { ...required, settings: { clusterName: ['a'] } },
    'settings.clusterName: must be a text, a number, or true or false, not ["a"]',
  ],
  [{ ...required, createNamespace: 'no' }, 'createNamespace: must be true or false, not "no"'],
  [
    { ...required, resources: { memory: '1 GB' } },
    'resources.memory: must be an amount of memory, such as 1Gi, not "1 GB"',
  ],
  [{ ...required, resources: { cpu: 0 } }, 'resources.cpu: must be an amount of processors, such as 500m or 2, not 0'],
  [{ ...required, tolerations: 'all' }, 'tolerations: must be a list of tolerations, not "all"'],
  [
    { ...required, environment: { DEBUG: true } },
    'environment.DEBUG: must be a text; numbers and true or false need quotes, not true',
  ],
  [
    { ...required, nodeSelector: { 'a b': 'c' } },
    'nodeSelector.a b: the name must be the name of a label, such as team or example.com/team',
  ],
  [
    { ...required, roleArn: 'nodewright' },
    'roleArn: must be the ARN of an IAM role, arn:PARTITION:iam::ACCOUNT_ID:role/NAME, not "nodewright"',
  ],
])('%j is refused', (given, complaint) => {
  expect(complaintsAbout(given)[0]).toEqual(
    typeof complaint === 'string' ? complaint : expect.stringMatching(complaint),
  );
});

test.each([
  [
    { settings: { clusterName: 'prod', disableLeaderElection: true } },
    'replicas: must be 1 with settings.disableLeaderElection, not 2: each of them would lead',
  ],
  [
    { settings: { clusterName: 'prod', metricsPort: 0 } },
    'settings.metricsPort: must be a port from 1 to 65535, because probes and the Service have to know it',
  ],
  [
    { region: 'cn-north-1', roleArn: 'arn:aws:iam::123456789012:role/nodewright' },
    'roleArn: must be in the partition aws-cn of cn-north-1, not in aws',
  ],
  [
    { createServiceAccount: false, roleArn: 'arn:aws:iam::123456789012:role/nodewright' },
    'roleArn: has no effect with createServiceAccount: false; annotate the ServiceAccount that exists',
  ],
  [
    { tolerations: [{ operator: 'Exists' }, { key: 'a', operator: 'Exists', value: 'b' }] },
    'tolerations[1].value: must be left out with operator: Exists, not "b"',
  ],
  [
    { tolerations: [{ value: 'b' }] },
    'tolerations[0].key: is required with operator: Equal; operator: Exists without a key tolerates every taint',
  ],
  [{ environment: { CLUSTER_NAME: 'a' } }, 'environment.CLUSTER_NAME: is written as settings.clusterName'],
  [{ environment: { NO_PROXY: '*' } }, 'environment.NO_PROXY: is written as proxy.except'],
])('values that contradict each other are refused: %j', (given, complaint) => {
  expect(complaintsAbout({ ...required, ...given })).toEqual([complaint]);
});

test('names that every object inherits are names like any other', () => {
  const environment: unknown = JSON.parse('{"__proto__": "a", "constructor": "b"}');
  const { values, complaints } = readInstallValues({ ...required, environment }, catalogue);
  expect(complaints).toEqual([]);
  expect([...values.environment]).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
});

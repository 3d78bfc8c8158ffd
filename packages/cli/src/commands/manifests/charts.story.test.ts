import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byTextOf, type KubernetesObject } from '@nodewright/apis';
import { buildChartFiles, buildKustomizeFiles, listInstallManifests, readInstallValues } from '@nodewright/manifests';
import { parseManifests } from '@nodewright/runtime';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { controllerSettings } from './setting-catalogue.ts';

const root = join(import.meta.dirname, '../../../../..');
const chart = join(root, 'charts/nodewright');

const filesIn = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

describe('`npm run charts` has been run:', () => {
  test('the chart is what the code makes', () => {
    expect(filesIn(chart)).toEqual(buildChartFiles(controllerSettings, packageJson.version));
  });

  test('the kustomize base is what the code makes', () => {
    expect(filesIn(join(root, 'kustomize'))).toEqual(buildKustomizeFiles(controllerSettings, packageJson.version));
  });
});

type GivenValues = Readonly<Record<string, unknown>>;

const required = { image: 'registry.example.com/nodewright:0.1.0', settings: { clusterName: 'prod' } };

const everything = {
  image: `registry.example.com/nodewright@sha256:${'0'.repeat(64)}`,
  name: 'nodewright',
  imagePullSecrets: ['registry', 'other'],
  replicas: 3,
  region: 'cn-north-1',
  roleArn: 'arn:aws-cn:iam::123456789012:role/nodewright',
  settings: {
    clusterName: 'prod',
    leaderElectionNamespace: 'kube-system',
    leaderElectionName: 'nodewright',
    metricsPort: 9090,
    healthProbePort: 9090,
    uiPort: 8090,
    conversionWebhookPort: 8443,
    isolatedVpc: true,
    interruptionQueue: '',
    vmMemoryOverheadPercent: 0.05,
    kubeClientBurst: 3_000_000,
    featureGates: 'NodeRepair=true',
  },
  environment: { ZONE: 'a', AWS_CA_BUNDLE: '/etc/nodewright/authorities/bundle.pem' },
  proxy: { https: 'http://proxy.example.com:3128', except: '.example.com,10.0.0.0/8' },
  certificateAuthorities: { configMap: 'authorities', key: 'bundle.pem' },
  resources: { cpu: 2, memory: '2Gi' },
  priorityClass: '',
  nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system', gpu: 'false' },
  tolerations: [
    { key: 'CriticalAddonsOnly', operator: 'Exists' },
    { key: 'team', value: 'a', effect: 'NoSchedule' },
  ],
  serviceMonitor: { create: true, labels: { release: 'prometheus', 'app.kubernetes.io/name': 'mine' } },
  podMonitor: { create: true, interval: '1m' },
};

const cases: readonly (readonly [string, GivenValues])[] = [
  ['the values that are required', required],
  ['every value', everything],
  [
    'a conversion webhook behind a Service of another name',
    { ...required, settings: { clusterName: 'a', conversionWebhookPort: 9443, conversionWebhookService: 'old-kinds' } },
  ],
  ['a ServiceAccount of somebody else', { ...required, createServiceAccount: false }],
  ['half a processor, and a proxy for http', { ...required, resources: { cpu: '1500m' }, proxy: { http: 'p:1' } }],
  [
    'one processor as a number, and options of Node.js',
    { ...required, resources: { cpu: 1 }, environment: { NODE_OPTIONS: '--x' } },
  ],
  [
    'a number of workers',
    { ...required, settings: { clusterName: 'a', cpuRequests: 3000, metricsPort: 8081, healthProbePort: 8080 } },
  ],
];

const namespace = 'nodes';
const byIdentity = byTextOf(({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.namespace} ${metadata.name}`);

/** What `nodewright manifests` prints where Helm has made the namespace and keeps the definitions. */
function printedFor(given: GivenValues): readonly KubernetesObject[] {
  const outside = { namespace, createNamespace: false, definitions: false };
  const { values, complaints } = readInstallValues({ ...given, ...outside }, controllerSettings);
  expect(complaints).toEqual([]);
  return listInstallManifests(values, controllerSettings).toSorted(byIdentity);
}

const folder = mkdtempSync(join(tmpdir(), 'chart-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Programs of the system. Tests that need one are skipped where it is not on the PATH. */
const [helmProgram, kubectlProgram] = ['helm', 'kubectl'];

function helm(given: GivenValues) {
  const file = join(folder, 'values.json');
  writeFileSync(file, JSON.stringify(given));
  return spawnSync(helmProgram, ['template', 'nodewright', chart, '--namespace', namespace, '--values', file], {
    encoding: 'utf8',
  });
}

const isHelmThere = spawnSync(helmProgram, ['version']).status === 0;
const isKubectlThere = spawnSync(kubectlProgram, ['version', '--client']).status === 0;

describe.skipIf(!isHelmThere)('the real helm (skipped where `helm` is not on the PATH)', () => {
  test.each(cases)('renders the objects that are printed for %s', (_case, given) => {
    const { stdout, stderr } = helm(given);
    expect(stderr).toBe('');
    expect(parseManifests(stdout).toSorted(byIdentity)).toEqual(printedFor(given));
  });

  test.each([
    [{}, 'image: is required: an image with a tag or a digest'],
    [{ image: required.image }, 'settings.clusterName: is required: the name of the EKS cluster'],
    [{ ...required, replica: 2 }, /replica/i],
    [{ ...required, image: 'nodewright' }, /image.*does not match pattern/i],
    [{ ...required, settings: { clusterName: 'a', metricPort: 1 } }, /metricPort/],
    [
      { ...required, settings: { clusterName: 'a', metricsPort: 0 } },
      'settings.metricsPort: must be a port from 1 to 65535',
    ],
    [
      { ...required, settings: { clusterName: 'a', disableLeaderElection: true } },
      'replicas: must be 1 with settings.disableLeaderElection, not 2: each of them would lead',
    ],
    [{ ...required, environment: { AWS_REGION: 'a' } }, 'environment.AWS_REGION: is written as region'],
    [{ ...required, tolerations: [{ effect: 'Never' }] }, /effect/],
    [
      { ...required, createServiceAccount: false, roleArn: 'arn:aws:iam::123456789012:role/a' },
      'roleArn: has no effect with createServiceAccount: false',
    ],
  ])('refuses %j', (given, complaint) => {
    const { status, stderr } = helm(given);
    expect(status).toBe(1);
    expect(stderr).toMatch(complaint);
  });

  test('finds no fault in the chart', () => {
    const file = join(folder, 'lint.json');
    writeFileSync(file, JSON.stringify(required));
    expect(spawnSync(helmProgram, ['lint', '--strict', chart, '--values', file], { encoding: 'utf8' }).status).toBe(0);
  });
});

describe('the schema of the values', () => {
  const validate = new Ajv({ strict: false }).compile(
    JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as object,
  );

  test.each(cases)('takes %s', (_case, given) => {
    expect(validate(given) || validate.errors).toBe(true);
  });

  test('has every value but those that Helm has by itself', () => {
    const { properties } = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as {
      readonly properties: object;
    };
    const { values } = readInstallValues({}, controllerSettings);
    const own = ['namespace', 'createNamespace', 'definitions'];
    const expected = Object.keys(values).filter((name) => !own.includes(name));
    expect(new Set(Object.keys(properties))).toEqual(new Set([...expected, 'global']));
  });
});

test.skipIf(!isKubectlThere)(
  'kubectl kustomize makes of the example what is printed, with its image and its cluster (skipped where `kubectl` is not on the PATH)',
  () => {
    const { stdout, stderr } = spawnSync(kubectlProgram, ['kustomize', join(root, 'kustomize/example')], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const { values } = readInstallValues(
      {
        image: `registry.example.com/nodewright:${packageJson.version}`,
        region: 'us-east-1',
        settings: { clusterName: 'prod' },
      },
      controllerSettings,
    );
    const printed = listInstallManifests(values, controllerSettings).toSorted(byIdentity);
    expect(withSortedVariables(parseManifests(stdout))).toEqual(withSortedVariables(printed));
  },
);

type WithPod = KubernetesObject & {
  readonly spec?: {
    readonly template?: { readonly spec?: { readonly containers?: readonly { env?: readonly { name: string }[] }[] } };
  };
};

/** A patch puts new variables first; their order means nothing here. */
const withSortedVariables = (objects: readonly KubernetesObject[]) =>
  objects.toSorted(byIdentity).map((object) => {
    const [container] = (object as WithPod).spec?.template?.spec?.containers ?? [];
    return [object.kind, container === undefined ? object : sortedDeployment(object, container.env ?? [])];
  });

const sortedDeployment = (object: KubernetesObject, env: readonly { name: string }[]) =>
  JSON.parse(
    JSON.stringify(object).replace(JSON.stringify(env), JSON.stringify(env.toSorted(byTextOf(({ name }) => name)))),
  ) as KubernetesObject;

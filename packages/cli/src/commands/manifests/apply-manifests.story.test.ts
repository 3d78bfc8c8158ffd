import { type KubernetesObject, listKarpenterCrds, ownCrds } from '@nodewright/apis';
import { servedKinds } from '@nodewright/kube-api';
import { listEnvironment, listInstallManifests, readInstallValues } from '@nodewright/manifests';
import { anApiServer } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { controllerSettings } from './setting-catalogue.ts';

const required = { image: 'registry.example.com/nodewright:0.1.0', settings: { clusterName: 'prod' } };

/** Every value that adds or changes an object. */
const everything = {
  image: `registry.example.com/nodewright@sha256:${'0'.repeat(64)}`,
  name: 'nodewright',
  namespace: 'nodes',
  imagePullSecrets: ['registry'],
  replicas: 3,
  region: 'cn-north-1',
  roleArn: 'arn:aws-cn:iam::123456789012:role/nodewright',
  settings: {
    clusterName: 'prod',
    leaderElectionNamespace: 'kube-system',
    leaderElectionName: 'nodewright',
    metricsPort: 9090,
    healthProbePort: 9090,
    conversionWebhookPort: 8443,
    isolatedVpc: true,
    featureGates: 'NodeRepair=true',
  },
  environment: { AWS_CA_BUNDLE: '/etc/nodewright/authorities/bundle.pem' },
  proxy: { https: 'http://proxy.example.com:3128', except: '.example.com,10.0.0.0/8' },
  certificateAuthorities: { configMap: 'authorities', key: 'bundle.pem' },
  resources: { cpu: 2, memory: '2Gi' },
  priorityClass: '',
  nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' },
  tolerations: [
    { key: 'CriticalAddonsOnly', operator: 'Exists' },
    { key: 'team', value: 'a', effect: 'NoSchedule' },
  ],
  serviceMonitor: { create: true, labels: { release: 'prometheus' } },
  podMonitor: { create: true },
};

function manifestsOf(given: Readonly<Record<string, unknown>>): readonly KubernetesObject[] {
  const { values, complaints } = readInstallValues(given, controllerSettings);
  expect(complaints).toEqual([]);
  return listInstallManifests(values, controllerSettings);
}

/** The path of an object; kinds that no server has of its own are plurals of the plain form. */
function pathOf({ apiVersion = '', kind = '', metadata: { name, namespace } }: KubernetesObject): string {
  const plural = servedKinds.find((each) => each.kind === kind)?.plural ?? `${kind.toLowerCase()}s`;
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${base}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}/${name}`;
}

type Api = ReturnType<typeof anApiServer>;

/** As `kubectl apply --server-side` does; a field that the server does not know is refused. */
async function applyOne({ send }: Api, object: KubernetesObject): Promise<string> {
  const query = '?fieldManager=kubectl&force=true&fieldValidation=Strict';
  const type = { 'content-type': 'application/apply-patch+yaml' };
  const { status, body } = await send('PATCH', `${pathOf(object)}${query}`, object, type);
  return `${status} ${object.kind} ${object.metadata.name}${status < 300 ? '' : `: ${String(body['message'])}`}`;
}

async function applyAll(api: Api, objects: readonly KubernetesObject[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const object of objects) answers.push(await applyOne(api, object));
  return answers;
}

const monitorDefinition = (kind: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.monitoring.coreos.com` },
  spec: {
    group: 'monitoring.coreos.com',
    names: { kind, listKind: `${kind}List`, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase() },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

test.each([
  ['the values that are required', '1.36', required],
  ['every value', '1.36', everything],
  ['every value', '1.29', everything],
])('an API server takes all objects in their order: %s, Kubernetes %s', async (_case, version, given) => {
  const api = anApiServer({ version });
  for (const kind of ['ServiceMonitor', 'PodMonitor']) await applyOne(api, monitorDefinition(kind));
  await api.time.settle();
  const objects = manifestsOf(given);
  const created = objects.map(({ kind, metadata }) => `201 ${kind} ${metadata.name}`);
  expect(await applyAll(api, objects)).toEqual(created);
  expect(await applyAll(api, objects)).toEqual(created.map((line) => line.replace('201', '200')));
});

test('the account may do what the controller does, and no more', async () => {
  const api = anApiServer({ version: '1.36' });
  await applyAll(api, manifestsOf(required));
  await api.time.settle();
  const asAccount = { 'impersonate-user': 'system:serviceaccount:karpenter:karpenter' };
  const statusOf = async (method: string, path: string) => (await api.send(method, path, undefined, asAccount)).status;
  expect(await statusOf('GET', '/apis/karpenter.sh/v1/nodepools')).toBe(200);
  expect(await statusOf('GET', '/api/v1/pods')).toBe(200);
  expect(await statusOf('GET', '/api/v1/secrets')).toBe(403);
  expect(await statusOf('GET', '/api/v1/namespaces/karpenter/secrets/others')).toBe(403);
  expect(await statusOf('GET', '/api/v1/namespaces/karpenter/secrets/rollout-receivers')).toBe(404);
});

test('with the conversion webhook the account may write its Secret and the definitions that it converts', async () => {
  const api = anApiServer({ version: '1.36' });
  const settings = { clusterName: 'prod', conversionWebhookPort: 8443 };
  await applyAll(api, manifestsOf({ ...required, settings }));
  await api.time.settle();
  const asAccount = { 'impersonate-user': 'system:serviceaccount:karpenter:karpenter' };
  const statusOf = async (method: string, path: string) => (await api.send(method, path, undefined, asAccount)).status;
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  expect(await statusOf('GET', `${definitions}/nodepools.karpenter.sh`)).toBe(200);
  expect(await statusOf('GET', `${definitions}/nodeoverlays.karpenter.sh`)).toBe(403);
  expect(await statusOf('GET', definitions)).toBe(403);
  expect(await statusOf('GET', '/api/v1/namespaces/karpenter/secrets/karpenter-conversion')).toBe(404);
  expect(await statusOf('GET', '/api/v1/namespaces/karpenter/secrets/others')).toBe(403);
});

test('what a cluster has already is left out where the values say so', () => {
  const kinds = (given: object) => manifestsOf({ ...required, ...given }).map(({ kind }) => kind);
  expect(kinds({}).slice(-3)).toEqual(['PodDisruptionBudget', 'Service', 'Deployment']);
  expect(kinds({ serviceMonitor: { create: true } }).at(-1)).toBe('ServiceMonitor');
  expect(kinds({ podMonitor: { create: true } }).at(-1)).toBe('PodMonitor');
  expect(kinds({ definitions: false })).not.toContain('CustomResourceDefinition');
  expect(kinds({ createNamespace: false })).not.toContain('Namespace');
  expect(kinds({ namespace: 'kube-system' })).not.toContain('Namespace');
  expect(kinds({ createServiceAccount: false })).not.toContain('ServiceAccount');
  const definitions = [...listKarpenterCrds(), ...ownCrds()].length;
  expect(kinds({}).findLastIndex((kind) => kind === 'CustomResourceDefinition')).toBe(definitions - 1);
});

test('the pod has what the values ask for', () => {
  const deployment = manifestsOf(everything).find(({ kind }) => kind === 'Deployment');
  expect(deployment).toMatchObject({
    spec: {
      replicas: 3,
      template: {
        spec: {
          imagePullSecrets: [{ name: 'registry' }],
          nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' },
          tolerations: [
            { key: 'CriticalAddonsOnly', operator: 'Exists' },
            { key: 'team', operator: 'Equal', value: 'a', effect: 'NoSchedule' },
          ],
          containers: [
            {
              env: [
                { name: 'CLUSTER_NAME', value: 'prod' },
                { name: 'ISOLATED_VPC', value: 'true' },
                { name: 'METRICS_PORT', value: '9090' },
                { name: 'HEALTH_PROBE_PORT', value: '9090' },
                { name: 'CONVERSION_WEBHOOK_PORT', value: '8443' },
                { name: 'LEADER_ELECTION_NAME', value: 'nodewright' },
                { name: 'LEADER_ELECTION_NAMESPACE', value: 'kube-system' },
                { name: 'FEATURE_GATES', value: 'NodeRepair=true' },
                { name: 'CPU_REQUESTS', value: '2000' },
                { name: 'AWS_REGION', value: 'cn-north-1' },
                { name: 'HTTPS_PROXY', value: 'http://proxy.example.com:3128' },
                {
                  name: 'NO_PROXY',
                  value:
                    '$(KUBERNETES_SERVICE_HOST),169.254.170.23,fd00:ec2::23,169.254.169.254,fd00:ec2::254,.example.com,10.0.0.0/8',
                },
                { name: 'NODE_EXTRA_CA_CERTS', value: '/etc/nodewright/authorities/bundle.pem' },
                { name: 'NODE_OPTIONS', value: '--v8-pool-size=1' },
                { name: 'AWS_CA_BUNDLE', value: '/etc/nodewright/authorities/bundle.pem' },
              ],
              ports: [
                { name: 'metrics', containerPort: 9090 },
                { name: 'conversion', containerPort: 8443 },
              ],
              readinessProbe: { httpGet: { path: '/readyz', port: 'metrics' } },
              volumeMounts: [{ name: 'authorities', mountPath: '/etc/nodewright/authorities' }],
            },
          ],
          volumes: [{ name: 'authorities', configMap: { name: 'authorities' } }],
        },
      },
    },
  });
});

test('the setting for the number of workers goes before what follows from the processors', () => {
  const given = { ...required, resources: { cpu: 2 }, settings: { clusterName: 'prod', cpuRequests: 3000 } };
  const { values } = readInstallValues(given, controllerSettings);
  const variables = listEnvironment(values, controllerSettings).filter(({ name }) => name === 'CPU_REQUESTS');
  expect(variables).toEqual([{ name: 'CPU_REQUESTS', value: '3000' }]);
});

test('the Lease is in the namespace and under the name that the settings say', () => {
  const roles = manifestsOf(everything).filter(({ kind }) => kind === 'Role');
  expect(roles.find(({ metadata }) => metadata.name === 'nodewright')).toMatchObject({
    metadata: { namespace: 'kube-system' },
    rules: [{ verbs: ['create'] }, { resourceNames: ['nodewright'] }],
  });
});

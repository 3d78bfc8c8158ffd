import { anApiServer } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';

const rulesFor = (resource: string) => ({
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [resource] }],
});
const applying = (expression: string) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patching = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

async function withMutations(
  mutations: readonly object[],
  { resource = 'configmaps', policy = {}, binding = {} }: { resource?: string; policy?: object; binding?: object } = {},
) {
  const api = anApiServer({ version: '1.36' });
  await api.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const spec = { matchConstraints: rulesFor(resource), mutations, reinvocationPolicy: 'Never', ...policy };
  const policies = `${registration}/mutatingadmissionpolicies`;
  expect((await api.send('POST', policies, { metadata: { name: 'p' }, spec })).status).toBe(201);
  const bindings = `${registration}/mutatingadmissionpolicybindings`;
  const bound = { policyName: 'p', ...binding };
  expect((await api.send('POST', bindings, { metadata: { name: 'b' }, spec: bound })).status).toBe(201);
  return api;
}

type Api = Awaited<ReturnType<typeof withMutations>>;

const create = ({ send }: Api, rest: object = {}) =>
  send('POST', configMaps, { metadata: { name: 'x', labels: { app: 'a' } }, data: { size: '3' }, ...rest });

test('an applied configuration is merged into the object', async () => {
  const api = await withMutations([
    applying('Object{metadata: Object.metadata{labels: {"team": object.metadata.labels["app"] + "-team"}}}'),
  ]);
  expect((await create(api)).body['metadata']).toMatchObject({ labels: { app: 'a', team: 'a-team' } });
});

test('an applied container goes beside the others, with its defaults', async () => {
  const sidecar = `Object{spec: Object.spec{initContainers: [
    Object.spec.initContainers{name: "mesh", image: "mesh:1", args: ["a", "b"], restartPolicy: "Always"}]}}`;
  const first = await withMutations([applying(sidecar)], { resource: 'pods' });
  const pod = { metadata: { name: 'x' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const { status, body } = await first.send('POST', pods, pod);
  expect([status, body['message']]).toEqual([
    422,
    expect.stringContaining('may not mutate atomic arrays, maps or structs: .spec.initContainers.args'),
  ]);
  const second = await withMutations([applying(sidecar.replace('args: ["a", "b"], ', ''))], { resource: 'pods' });
  expect((await second.send('POST', pods, pod)).body['spec']).toMatchObject({
    containers: [{ name: 'c' }],
    initContainers: [{ name: 'mesh', imagePullPolicy: 'IfNotPresent', restartPolicy: 'Always' }],
  });
});

test('a JSON patch is applied, and its keys can be escaped', async () => {
  const api = await withMutations([
    patching(`[
      JSONPatch{op: "test", path: "/data/size", value: "3"},
      JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/team"), value: "b"},
    ]`),
  ]);
  expect((await create(api)).body['metadata']).toMatchObject({ labels: { 'example.com/team': 'b' } });
});

test('each mutation sees what the one before made, and the variables of the policy', async () => {
  const api = await withMutations(
    [
      applying('Object{data: {"double": string(variables.size * 2)}}'),
      applying('Object{data: {"copy": object.data.double}}'),
    ],
    { policy: { variables: [{ name: 'size', expression: 'int(object.data.size)' }] } },
  );
  expect((await create(api)).body['data']).toEqual({ size: '3', double: '6', copy: '6' });
});

test('a policy that fails refuses the write, or is ignored where it says so', async () => {
  const failing = patching('[JSONPatch{op: "test", path: "/data/size", value: "4"}]');
  const strict = await withMutations([failing]);
  expect(await create(strict)).toMatchObject({
    status: 422,
    body: {
      message: expect.stringContaining("policy 'p' with binding 'b' denied request: JSON Patch: "),
      reason: 'Invalid',
    },
  });
  const lenient = await withMutations([failing], { policy: { failurePolicy: 'Ignore' } });
  expect((await create(lenient)).status).toBe(201);
});

test.each([
  { fact: 'another resource', options: { resource: 'secrets' } },
  {
    fact: 'a condition that does not hold',
    options: { policy: { matchConditions: [{ name: 'c', expression: 'false' }] } },
  },
  { fact: 'a binding elsewhere', options: { binding: { policyName: 'other' } } },
  {
    fact: 'a binding to other objects',
    options: { binding: { matchResources: { objectSelector: { matchLabels: { app: 'b' } } } } },
  },
])('a policy for $fact changes nothing', async ({ options }) => {
  const api = await withMutations([applying('Object{data: {"new": "1"}}')], options);
  expect((await create(api)).body['data']).toEqual({ size: '3' });
});

test('a policy reads its parameters', async () => {
  const api = await withMutations([applying('Object{data: {"from": params.data.word}}')], {
    policy: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
    binding: { paramRef: { name: 'params', namespace: 'kube-public', parameterNotFoundAction: 'Allow' } },
  });
  expect((await create(api)).body['data']).toEqual({ size: '3' });
  await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'kube-public' } });
  await api.send('POST', '/api/v1/namespaces/kube-public/configmaps', {
    metadata: { name: 'params' },
    data: { word: 'w' },
  });
  expect((await create(api, { metadata: { name: 'y' } })).body['data']).toEqual({ size: '3', from: 'w' });
});

test.each([
  { fact: 'without mutations', change: { mutations: [] }, field: 'spec.mutations: Required value' },
  {
    fact: 'without a policy for turns',
    change: { reinvocationPolicy: undefined },
    field: 'spec.reinvocationPolicy: Required value',
  },
  {
    fact: 'of an unknown patch',
    change: { mutations: [{ patchType: 'Merge' }] },
    field: 'spec.mutations[0].patchType: Unsupported value',
  },
  {
    fact: 'without its patch',
    change: { mutations: [{ patchType: 'JSONPatch' }] },
    field: 'spec.mutations[0].jsonPatch: Required value',
  },
  {
    fact: 'with an expression that is none',
    change: { mutations: [applying('Object{')] },
    field: 'spec.mutations[0].applyConfiguration.expression: Invalid value: "Object{": compilation failed',
  },
  {
    fact: 'without rules',
    change: { matchConstraints: {} },
    field: 'spec.matchConstraints.resourceRules: Required value',
  },
])('a policy $fact is refused', async ({ change, field }) => {
  const { send } = anApiServer({ version: '1.36' });
  const spec = {
    matchConstraints: rulesFor('pods'),
    mutations: [applying('Object{}')],
    reinvocationPolicy: 'Never',
    ...change,
  };
  const { status, body } = await send('POST', `${registration}/mutatingadmissionpolicies`, {
    metadata: { name: 'p' },
    spec,
  });
  expect([status, body['message']]).toEqual([422, expect.stringContaining(field)]);
});

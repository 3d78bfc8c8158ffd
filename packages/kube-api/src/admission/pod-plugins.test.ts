import { expect, test } from 'vitest';
import { anApiServer, type Answer } from '@nodewright/testkit/worlds';

const pods = '/api/v1/namespaces/default/pods';
const scheduling = '/apis/scheduling.k8s.io/v1/priorityclasses';
const core = '/api/v1/namespaces/default';

type Api = ReturnType<typeof anApiServer>;

const aPod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

const specOf = ({ body }: Answer) => body['spec'] as Readonly<Record<string, unknown>>;
const refusal = ({ status, body }: Answer) => [status, body['message']];

const create = ({ send }: Api, path: string, ...objects: readonly object[]) =>
  Promise.all(objects.map(async (object) => expect((await send('POST', path, object)).status).toBe(201)));

test('a namespace has its service account when it is answered, and gets it back', async () => {
  const api = anApiServer({ certificateAuthority: 'PEM' });
  await create(api, '/api/v1/namespaces', { metadata: { name: 'team' } });
  expect((await api.send('POST', '/api/v1/namespaces/team/pods', aPod('first'))).status).toBe(201);
  await api.send('DELETE', '/api/v1/namespaces/team/serviceaccounts/default');
  expect((await api.send('GET', '/api/v1/namespaces/team/serviceaccounts/default')).status).toBe(200);
  const bundle = '/api/v1/namespaces/team/configmaps/kube-root-ca.crt';
  expect((await api.send('GET', bundle)).body['data']).toEqual({ 'ca.crt': 'PEM' });
  const merge = { 'content-type': 'application/merge-patch+json' };
  await api.send('PATCH', bundle, { data: { 'ca.crt': 'another' } }, merge);
  expect((await api.send('GET', bundle)).body['data']).toEqual({ 'ca.crt': 'PEM' });
  await api.send('DELETE', '/api/v1/namespaces/team');
  await api.send('DELETE', '/api/v1/namespaces/team/serviceaccounts/default');
  expect((await api.send('GET', '/api/v1/namespaces/team/serviceaccounts/default')).status).toBe(404);
});

test('a pod of an absent service account is refused, a mirror pod needs none', async () => {
  const api = anApiServer();
  const answer = await api.send('POST', pods, aPod('p', { serviceAccountName: 'nobody' }));
  expect(refusal(answer)).toEqual([
    403,
    'pods "p" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found',
  ]);
  const mirror = { ...aPod('m'), metadata: { name: 'm', annotations: { 'kubernetes.io/config.mirror': 'x' } } };
  expect(specOf(await api.send('POST', pods, mirror))['serviceAccountName']).toBeUndefined();
});

test('a pod mounts the token of its account unless the account, or the pod, says otherwise', async () => {
  const api = anApiServer();
  const secrets = [{ name: 'registry' }];
  await create(api, `${core}/serviceaccounts`, {
    metadata: { name: 'quiet' },
    automountServiceAccountToken: false,
    imagePullSecrets: secrets,
  });
  const quiet = specOf(await api.send('POST', pods, aPod('quiet', { serviceAccountName: 'quiet' })));
  expect([quiet['volumes'], quiet['imagePullSecrets']]).toEqual([undefined, secrets]);
  const loud = { serviceAccountName: 'quiet', automountServiceAccountToken: true, imagePullSecrets: [{ name: 'own' }] };
  const mounted = specOf(await api.send('POST', pods, aPod('loud', loud)));
  expect(mounted['volumes']).toMatchObject([{ name: expect.stringMatching(/^kube-api-access-\w{5}$/) }]);
  expect(mounted['imagePullSecrets']).toEqual([{ name: 'own' }]);
  const off = specOf(await api.send('POST', pods, aPod('off', { automountServiceAccountToken: false })));
  expect(off['volumes']).toBeUndefined();
});

test('a container that mounts something at the path of the token keeps it', async () => {
  const api = anApiServer();
  const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
  const own = { name: 'own', image: 'i', volumeMounts: [{ name: 'v', mountPath }] };
  const { volumes, containers } = specOf(
    await api.send('POST', pods, {
      metadata: { name: 'p' },
      spec: { containers: [own, { name: 'other', image: 'i' }], volumes: [{ name: 'v', emptyDir: {} }] },
    }),
  ) as { volumes: { name: string }[]; containers: { volumeMounts: { name: string }[] }[] };
  expect(volumes.map(({ name }) => name)).toEqual(['v', expect.stringContaining('kube-api-access-')]);
  expect(containers.map(({ volumeMounts }) => volumeMounts.map(({ name }) => name))).toEqual([
    ['v'],
    [volumes[1]?.name],
  ]);
});

test('the default priority class names itself in pods without a class', async () => {
  const api = anApiServer();
  await create(api, scheduling, {
    metadata: { name: 'usual' },
    value: 7,
    globalDefault: true,
    preemptionPolicy: 'Never',
  });
  expect(specOf(await api.send('POST', pods, aPod('p')))).toMatchObject({
    priorityClassName: 'usual',
    priority: 7,
    preemptionPolicy: 'Never',
  });
  const second = await api.send('POST', scheduling, { metadata: { name: 'again' }, value: 1, globalDefault: true });
  expect(refusal(second)).toEqual([
    403,
    'priorityclasses.scheduling.k8s.io "again" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
  ]);
});

test.each([
  {
    fact: 'an absent priority class',
    spec: { priorityClassName: 'nope' },
    message: 'no PriorityClass with name nope was found',
  },
  {
    fact: 'a priority that is not that of its class',
    spec: { priority: 5 },
    message:
      'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  },
  {
    fact: 'a preemption policy that is not that of its class',
    spec: { preemptionPolicy: 'Never' },
    message:
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
  },
  {
    fact: 'an absent runtime class',
    spec: { runtimeClassName: 'nope' },
    message: 'pod rejected: RuntimeClass "nope" not found',
  },
  {
    fact: 'an overhead of its own',
    spec: { overhead: { cpu: '1' } },
    message: 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  },
])('a pod with $fact is refused', async ({ spec, message }) => {
  const { send } = anApiServer();
  expect(refusal(await send('POST', pods, aPod('p', spec)))).toEqual([403, `pods "p" is forbidden: ${message}`]);
});

test('a runtime class gives its overhead, selector and tolerations, and refuses another selector', async () => {
  const api = anApiServer();
  await create(api, '/apis/node.k8s.io/v1/runtimeclasses', {
    metadata: { name: 'vm' },
    handler: 'vm',
    overhead: { podFixed: { cpu: '250m' } },
    scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
  });
  const spec = specOf(await api.send('POST', pods, aPod('p', { runtimeClassName: 'vm', nodeSelector: { a: 'b' } })));
  expect(spec).toMatchObject({ overhead: { cpu: '250m' }, nodeSelector: { a: 'b', vm: 'yes' } });
  expect(spec['tolerations']).toContainEqual({ key: 'vm', operator: 'Exists' });
  const other = await api.send('POST', pods, aPod('q', { runtimeClassName: 'vm', nodeSelector: { vm: 'no' } }));
  expect(refusal(other)).toEqual([
    403,
    'pods "q" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no',
  ]);
});

test('a new node is tainted as not ready, once', async () => {
  const { send } = anApiServer();
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const plain = await send('POST', '/api/v1/nodes', { metadata: { name: 'plain' } });
  expect(specOf(plain)['taints']).toEqual([taint]);
  const own = await send('POST', '/api/v1/nodes', { metadata: { name: 'own' }, spec: { taints: [taint] } });
  expect(specOf(own)['taints']).toEqual([taint]);
});

const limitRange = (limits: object) => ({ metadata: { name: 'limits' }, spec: { limits: [limits] } });
const containerLimits = {
  type: 'Container',
  default: { cpu: '500m' },
  defaultRequest: { cpu: '50m' },
  max: { cpu: '1' },
  min: { cpu: '10m' },
  maxLimitRequestRatio: { cpu: '20' },
};

test('a limit range fills in requests and limits, and says so', async () => {
  const api = anApiServer();
  await create(api, `${core}/limitranges`, limitRange(containerLimits));
  const { body } = await api.send('POST', pods, aPod('p'));
  expect(body).toMatchObject({
    metadata: {
      annotations: {
        'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
      },
    },
    spec: { containers: [{ resources: { limits: { cpu: '500m' }, requests: { cpu: '50m' } } }] },
    status: { qosClass: 'Burstable' },
  });
});

test.each([
  { resources: { limits: { cpu: '4' } }, message: 'maximum cpu usage per Container is 1, but limit is 4' },
  {
    resources: { limits: { cpu: '20m' }, requests: { cpu: '5m' } },
    message: 'minimum cpu usage per Container is 10m, but request is 5m',
  },
  {
    resources: { limits: { cpu: '1' }, requests: { cpu: '20m' } },
    message: 'cpu max limit to request ratio per Container is 20, but provided ratio is 50.000000',
  },
])('a limit range refuses: $message', async ({ resources, message }) => {
  const api = anApiServer();
  await create(api, `${core}/limitranges`, limitRange(containerLimits));
  const answer = await api.send('POST', pods, aPod('p', { containers: [{ name: 'c', image: 'i', resources }] }));
  expect(refusal(answer)).toEqual([403, `pods "p" is forbidden: ${message}`]);
});

test('a limit range counts pods as a whole, and claims', async () => {
  const api = anApiServer();
  const limits = [
    { type: 'Pod', max: { memory: '1Gi' } },
    { type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, max: { storage: '4Gi' } },
  ];
  await create(api, `${core}/limitranges`, { metadata: { name: 'limits' }, spec: { limits } });
  const container = (name: string) => ({ name, image: 'i', resources: { limits: { memory: '600Mi' } } });
  const pod = await api.send('POST', pods, aPod('p', { containers: [container('a'), container('b')] }));
  expect(refusal(pod)[1]).toBe('pods "p" is forbidden: maximum memory usage per Pod is 1Gi, but limit is 1200Mi');
  const claim = (storage: string) => ({
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  });
  const small = await api.send('POST', `${core}/persistentvolumeclaims`, claim('1Gi'));
  expect(refusal(small)[1]).toContain('minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi');
  const large = await api.send('POST', `${core}/persistentvolumeclaims`, claim('5Gi'));
  expect(refusal(large)[1]).toContain('maximum storage usage per PersistentVolumeClaim is 4Gi, but request is 5Gi');
});

test('volumes and claims are protected, and a claim gets the youngest default class', async () => {
  const api = anApiServer();
  const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const classes = '/apis/storage.k8s.io/v1/storageclasses';
  await create(api, classes, { metadata: { name: 'b', annotations: isDefault }, provisioner: 'p' });
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const { body } = await api.send('POST', `${core}/persistentvolumeclaims`, claim);
  expect(body).toMatchObject({
    metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
    spec: { storageClassName: 'b' },
  });
  const none = { ...claim, metadata: { name: 'none' }, spec: { ...claim.spec, storageClassName: '' } };
  expect(specOf(await api.send('POST', `${core}/persistentvolumeclaims`, none))['storageClassName']).toBe('');
  const merge = { 'content-type': 'application/merge-patch+json' };
  const grown = { spec: { resources: { requests: { storage: '2Gi' } } } };
  const unbound = await api.send('PATCH', `${core}/persistentvolumeclaims/data`, grown, merge);
  expect(unbound.status).toBe(422);
  expect(String(unbound.body['message'])).toContain('spec is immutable after creation except resources.requests');
  const bound = { status: { phase: 'Bound' } };
  expect((await api.send('PATCH', `${core}/persistentvolumeclaims/data/status`, bound, merge)).status).toBe(200);
  expect(refusal(await api.send('PATCH', `${core}/persistentvolumeclaims/data`, grown, merge))).toEqual([
    403,
    'persistentvolumeclaims "data" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  ]);
});

test('a pod gets the credentials of its account, and keeps what it has under these names', async () => {
  const token = { audience: 'sts.amazonaws.com', expirationSeconds: 86_400, path: 'token' };
  const environment = [
    { name: 'AWS_REGION', value: 'us-east-1' },
    { name: 'AWS_ROLE_ARN', value: 'r' },
  ];
  const api = anApiServer({
    findPodCredentials: ({ metadata }) =>
      metadata.name === 'cloud'
        ? { volume: 'aws-iam-token', mountPath: '/var/run/aws', token, environment }
        : undefined,
  });
  await create(api, `${core}/serviceaccounts`, { metadata: { name: 'cloud' } });
  const own = [{ name: 'AWS_REGION', value: 'eu-west-1' }];
  const containers = [{ name: 'c', image: 'i', env: own }];
  const spec = specOf(await api.send('POST', pods, aPod('p', { serviceAccountName: 'cloud', containers })));
  expect(spec['containers']).toMatchObject([
    { env: [...own, environment[1]], volumeMounts: [{}, { name: 'aws-iam-token', mountPath: '/var/run/aws' }] },
  ]);
  const sources = [{ serviceAccountToken: token }];
  expect(spec['volumes']).toMatchObject([{}, { name: 'aws-iam-token', projected: { sources } }]);
  expect(specOf(await api.send('POST', pods, aPod('other')))['volumes']).toHaveLength(1);
});

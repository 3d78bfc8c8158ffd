import { expect, test } from 'vitest';
import { anApiServer, type Answer } from '@nodewright/testkit/worlds';

const core = '/api/v1/namespaces/default';
const merge = { 'content-type': 'application/merge-patch+json' };

type Api = ReturnType<typeof anApiServer>;

const aPod = (name: string, cpu: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }], ...spec },
});

const aQuota = (hard: object, rest: object = {}) => ({ metadata: { name: 'q' }, spec: { hard, ...rest } });
const refusal = ({ status, body }: Answer) => [status, body['message']];

const used = async ({ send }: Api) =>
  ((await send('GET', `${core}/resourcequotas/q`)).body['status'] as { readonly used: object }).used;

test('a quota counts what is there, what comes and what goes', async () => {
  const api = anApiServer();
  await api.send('POST', `${core}/pods`, aPod('before', '100m'));
  await api.send('POST', `${core}/resourcequotas`, aQuota({ pods: '3', 'requests.cpu': '1', 'count/pods': '9' }));
  expect(await used(api)).toEqual({ pods: '1', 'requests.cpu': '100m', 'count/pods': '1' });
  await api.send('POST', `${core}/pods`, aPod('second', '150m'));
  expect(await used(api)).toEqual({ pods: '2', 'requests.cpu': '250m', 'count/pods': '2' });
  await api.send('PATCH', `${core}/pods/second/status`, { status: { phase: 'Succeeded' } }, merge);
  expect(await used(api)).toEqual({ pods: '1', 'requests.cpu': '100m', 'count/pods': '2' });
  await api.send('DELETE', `${core}/pods/second`, { gracePeriodSeconds: 0 });
  await api.send('DELETE', `${core}/pods/before`, { gracePeriodSeconds: 0 });
  expect(await used(api)).toEqual({ pods: '0', 'requests.cpu': '0', 'count/pods': '0' });
  await api.send('PATCH', `${core}/resourcequotas/q`, { spec: { hard: { configmaps: '5' } } }, merge);
  expect(await used(api)).toMatchObject({ configmaps: '0', pods: '0' });
});

test('writers at the same time never take more than the quota has', async () => {
  const api = anApiServer();
  await api.send('POST', `${core}/resourcequotas`, aQuota({ pods: '3' }));
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const answers = await Promise.all(names.map((name) => api.send('POST', `${core}/pods`, aPod(name, '1m'))));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 403, 403, 403]);
  expect(refusal(answers[3] as Answer)).toEqual([
    403,
    'pods "d" is forbidden: exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3',
  ]);
  expect(await used(api)).toEqual({ pods: '3' });
});

test('a refused or dry write takes nothing', async () => {
  const api = anApiServer();
  await api.send('POST', `${core}/resourcequotas`, aQuota({ pods: '5' }));
  await api.send('POST', `${core}/pods`, aPod('a', '1m'));
  expect((await api.send('POST', `${core}/pods`, aPod('a', '1m'))).status).toBe(409);
  expect((await api.send('POST', `${core}/pods?dryRun=All`, aPod('b', '1m'))).status).toBe(201);
  expect(await used(api)).toEqual({ pods: '1' });
});

test('an invalid pod is told that it is invalid before the quota counts it', async () => {
  const api = anApiServer();
  await api.send('POST', `${core}/resourcequotas`, aQuota({ pods: '0' }));
  expect((await api.send('POST', `${core}/pods`, aPod('p', '1m', { restartPolicy: 'Maybe' }))).status).toBe(422);
});

test('a quota with scopes counts the pods within them', async () => {
  const api = anApiServer();
  await api.send('POST', `${core}/resourcequotas`, aQuota({ pods: '1' }, { scopes: ['BestEffort'] }));
  const bestEffort = (name: string) => ({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  expect((await api.send('POST', `${core}/pods`, aPod('burstable', '1m'))).status).toBe(201);
  expect((await api.send('POST', `${core}/pods`, bestEffort('one'))).status).toBe(201);
  expect((await api.send('POST', `${core}/pods`, bestEffort('two'))).status).toBe(403);
});

test('a quota of a priority class counts the pods of that class', async () => {
  const api = anApiServer();
  await api.send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 9 });
  const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }];
  await api.send('POST', `${core}/resourcequotas`, aQuota({ pods: '0' }, { scopeSelector: { matchExpressions } }));
  expect((await api.send('POST', `${core}/pods`, aPod('low', '1m'))).status).toBe(201);
  expect((await api.send('POST', `${core}/pods`, aPod('high', '1m', { priorityClassName: 'high' }))).status).toBe(403);
});

test('services, claims and any other kind are counted', async () => {
  const api = anApiServer();
  const hard = { 'services.nodeports': '1', 'requests.storage': '3Gi', 'count/deployments.apps': '0' };
  await api.send('POST', `${core}/resourcequotas`, aQuota(hard));
  const service = {
    metadata: { name: 's' },
    spec: {
      type: 'NodePort',
      ports: [
        { port: 1, name: 'a' },
        { port: 2, name: 'b' },
      ],
    },
  };
  expect(refusal(await api.send('POST', `${core}/services`, service))[1]).toContain('requested: services.nodeports=2');
  const claim = (name: string) => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
  });
  expect((await api.send('POST', `${core}/persistentvolumeclaims`, claim('a'))).status).toBe(201);
  expect(refusal(await api.send('POST', `${core}/persistentvolumeclaims`, claim('b')))[1]).toContain(
    'exceeded quota: q, requested: requests.storage=2Gi, used: requests.storage=2Gi, limited: requests.storage=3Gi',
  );
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
  const answer = await api.send('POST', '/apis/apps/v1/namespaces/default/deployments', deployment);
  expect(refusal(answer)[1]).toContain('exceeded quota: q, requested: count/deployments.apps=1');
});

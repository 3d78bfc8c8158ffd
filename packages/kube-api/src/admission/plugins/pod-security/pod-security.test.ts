import { anApiServer } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const prefix = 'pod-security.kubernetes.io/';
const merge = { 'content-type': 'application/merge-patch+json' };
const aPod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const bad = aPod('bad', { hostNetwork: true });

async function aNamespace(labels: Readonly<Record<string, string>>) {
  const api = anApiServer();
  const created = await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'team', labels } });
  expect(created.status).toBe(201);
  return api;
}

test('a namespace refuses pods below the level that it enforces, in the words of Kubernetes', async () => {
  const api = await aNamespace({ [`${prefix}enforce`]: 'baseline' });
  const refused = await api.send('POST', '/api/v1/namespaces/team/pods', bad);
  expect([refused.status, refused.body['message']]).toEqual([
    403,
    'pods "bad" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
  ]);
  expect((await api.send('POST', '/api/v1/namespaces/team/pods', aPod('good'))).status).toBe(201);
  expect((await api.send('POST', '/api/v1/namespaces/default/pods', bad)).status).toBe(201);
});

test('a namespace warns of pods and of templates below the level of its warnings, and takes them', async () => {
  const api = await aNamespace({ [`${prefix}warn`]: 'baseline', [`${prefix}warn-version`]: 'v1.28' });
  const { spec } = bad;
  const template = { metadata: { labels: { app: 'web' } }, spec };
  const selector = { matchLabels: { app: 'web' } };
  const deployment = { metadata: { name: 'web' }, spec: { selector, template } };
  for (const [path, object] of [
    ['/api/v1/namespaces/team/pods', bad],
    ['/apis/apps/v1/namespaces/team/deployments', deployment],
  ] as const) {
    const answer = await api.send('POST', path, object);
    expect(answer.status).toBe(201);
    expect(answer.headers['warning']).toContain(
      'would violate PodSecurity \\"baseline:v1.28\\": host namespaces (hostNetwork=true)',
    );
  }
});

test('a namespace that enforces more from now on warns of the pods that it has', async () => {
  const api = await aNamespace({});
  for (const name of ['b', 'a']) await api.send('POST', '/api/v1/namespaces/team/pods', { ...bad, metadata: { name } });
  const labels = { [`${prefix}enforce`]: 'baseline' };
  const answer = await api.send('PATCH', '/api/v1/namespaces/team', { metadata: { labels } }, merge);
  expect(answer.status).toBe(200);
  expect(answer.headers['warning']).toContain(
    'existing pods in namespace \\"team\\" violate the new PodSecurity enforce level \\"baseline:latest\\"',
  );
  expect(answer.headers['warning']).toContain('a (and 1 other pod): host namespaces');
});

test('labels that say nothing are refused', async () => {
  const api = await aNamespace({});
  const labels = { [`${prefix}enforce`]: 'tight' };
  const answer = await api.send('PATCH', '/api/v1/namespaces/team', { metadata: { labels } }, merge);
  expect([answer.status, answer.body['message']]).toEqual([
    422,
    'Namespace "team" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "tight": must be one of privileged, baseline, restricted',
  ]);
});

test('an ephemeral container is held against the level, too', async () => {
  const api = await aNamespace({ [`${prefix}enforce`]: 'baseline' });
  await api.send('POST', '/api/v1/namespaces/team/pods', aPod('good'));
  const debug = { name: 'd', image: 'i', securityContext: { privileged: true } };
  const path = '/api/v1/namespaces/team/pods/good/ephemeralcontainers';
  const answer = await api.send('PATCH', path, { spec: { ephemeralContainers: [debug] } }, merge);
  expect([answer.status, answer.body['message']]).toEqual([
    403,
    'pods "good" is forbidden: violates PodSecurity "baseline:latest": privileged (container "d" must not set securityContext.privileged=true)',
  ]);
});

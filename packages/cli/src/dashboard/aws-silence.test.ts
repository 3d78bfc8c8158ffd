import { type EC2NodeClass, ec2NodeClasses, instant, listKarpenterCrds, nodePools, seconds } from '@nodewright/apis';
import { listUnreadParts, restrictDashboard } from '@nodewright/dashboard';
import { awsSources } from '@nodewright/dashboard/rows';
import { CloudError } from '@nodewright/ports';
import { inProcessTransport, kubernetesClient, realTime } from '@nodewright/runtime';
import { aNode, aNodeClass, aNodePool, fakeCloud } from '@nodewright/testkit';
import { anApiServer } from '@nodewright/testkit/worlds';
import { expect, onTestFinished, test } from 'vitest';
import { listTopLines, summarizeDashboard } from '../commands/top/top-lines.ts';
import { readSchedulingSettings } from '../controller/scheduling-settings.ts';
import { describeSilence, lacksAwsAlone, rememberRefusals, silenceKeptMs } from './aws-silence.ts';
import { startDashboardFeed } from './dashboard-feed.ts';

const { clock, gate } = realTime();
const { signal } = new AbortController();

const noCredentials = new CloudError('CredentialsProviderError: Could not load credentials from any providers', {
  code: 'CredentialsProviderError',
  retry: 'backOff',
});

/** Instance types that are refused, with the number of questions. */
function refusedTypes(error: CloudError) {
  let asked = 0;
  return {
    list: (_nodeClass: EC2NodeClass, _signal: AbortSignal) => {
      asked += 1;
      return Promise.reject(error);
    },
    countQuestions: () => asked,
  };
}

test('what AWS refuses is asked for again after a while, not for every NodePool', async () => {
  let now = instant(0);
  const types = refusedTypes(noCredentials);
  const remembering = rememberRefusals(types, { now: () => now });
  for (let list = 0; list < 3; list += 1)
    await expect(remembering.list(aNodeClass(), signal)).rejects.toBe(noCredentials);
  expect(types.countQuestions()).toBe(1);
  now = instant(silenceKeptMs);
  await expect(remembering.list(aNodeClass(), signal)).rejects.toBe(noCredentials);
  expect(types.countQuestions()).toBe(2);
});

test('a NodeClass without subnets does not stand for the others', async () => {
  const types = refusedTypes(new CloudError('no subnets yet', { code: 'SubnetsNotResolved', retry: 'backOff' }));
  const remembering = rememberRefusals(types, { now: () => instant(seconds(1)) });
  for (let list = 0; list < 2; list += 1)
    await expect(remembering.list(aNodeClass(), signal)).rejects.toThrow('no subnets');
  expect(types.countQuestions()).toBe(2);
});

test('says what is not told, why, and how to give it', () => {
  expect(describeSilence(new Map())).toBeUndefined();
  const silence = new Map([
    [awsSources.types, 'no AWS region'],
    [awsSources.images, 'no AWS region'],
  ]);
  const words = describeSilence(silence);
  expect(words).toContain('AWS does not answer here about instance types and prices, and images (no AWS region).');
  expect(words).toContain('AWS_PROFILE and AWS_REGION');
  expect([lacksAwsAlone([...silence.keys()]), lacksAwsAlone([awsSources.types, 'pods'])]).toEqual([true, false]);
});

/** What is shown of a cluster with a node, a pool and a class, while AWS answers nothing. */
async function readWithoutAws() {
  const { server, send } = anApiServer();
  for (const definition of listKarpenterCrds())
    await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };
  const transport = inProcessTransport(gate, server.handle, { peer });
  const client = kubernetesClient({ transport, gate, userAgent: 'page' });
  const { apiVersion: _, kind: __, ...nodeClass } = aNodeClass();
  await client.create(ec2NodeClasses, nodeClass);
  const subnets = [{ id: 'subnet-1', zone: 'zone-a' }];
  const asStatus = { subresource: 'status' } as const;
  await client.patch(ec2NodeClasses, { name: 'default' }, { type: 'merge', patch: { status: { subnets } } }, asStatus);
  const { metadata } = await client.create(nodePools, aNodePool());
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'Ready',
    message: '',
    lastTransitionTime: '2024-03-01T12:00:00Z',
  };
  const conditions = [{ ...ready, observedGeneration: metadata.generation }];
  await client.patch(nodePools, { name: 'default' }, { type: 'merge', patch: { status: { conditions } } }, asStatus);
  await send('POST', '/api/v1/nodes', aNode('a').node);
  const { instanceTypes, nodeClasses, ...rest } = fakeCloud({
    now: () => clock.now(),
    instanceTypes: [],
    images: () => [],
  });
  const refuse = () => Promise.reject(noCredentials);
  const cloud = {
    ...rest,
    instanceTypes: { ...instanceTypes, list: refuse },
    nodeClasses: { ...nodeClasses, images: refuse },
  };
  const feed = startDashboardFeed({ client, cloud, clock, scheduling: readSchedulingSettings({}, {}) });
  onTestFinished(() => feed.stop());
  await new Promise<void>((resolve) => onTestFinished(feed.subscribe(() => feed.state().isComplete && resolve())));
  const { dashboard, problem, untold = '', unread = new Set<string>() } = feed.state();
  const hidden = listUnreadParts(unread);
  return { seen: restrictDashboard(dashboard, hidden, feed.lastReading()?.reading), hidden, problem, untold };
}

test('a cluster is shown without AWS, as far as Kubernetes tells of it', async () => {
  const { seen, hidden, problem, untold } = await readWithoutAws();
  expect(problem).toBeUndefined();
  expect(seen.nodes.map(({ id }) => id)).toEqual(['a']);
  expect(seen.nodeClasses.map(({ id }) => id)).toEqual(['default']);
  expect(untold).toContain('Could not load credentials');
  expect(Object.keys(hidden).toSorted()).toEqual(['keptNodes', 'podReasons', 'savings', 'spending']);
  expect(hidden.savings).toEqual([awsSources.types]);
  const lines = listTopLines({ dashboard: seen, hidden, untold }, 'nodes', 10_000).map(({ text }) => text);
  expect(lines[0]).toBe(untold);
  expect(summarizeDashboard({ dashboard: seen, hidden })).toContain('1 node');
});

import { fromTimestamp } from '@nodewright/apis';
import { realTime, seededRandom } from '@nodewright/runtime';
import { builtInReleases, createAws } from '@nodewright/aws-endpoints';
import { listenOn } from '@nodewright/sandbox';
import { expect, test } from 'vitest';
import { createAwsClients, createAwsCloud } from './index.ts';

test('the provider works over a socket, with signed requests, as it does in process', async () => {
  const { clock, gate } = realTime();
  const start = fromTimestamp('2024-01-28T16:00:00Z');
  const aws = createAws({
    clock: { ...clock, now: () => start },
    random: seededRandom(1),
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b'],
    clusterName: 'demo',
    kubernetesVersion: '1.28',
    onControlPlaneVersion: () => {},
    clusterEndpoint: () => 'https://cluster.invalid',
    clusterCertificateAuthority: () => 'ca',
    releases: builtInReleases(),
    machines: { launched: () => {}, stopping: () => {}, behaves: () => {} },
  });
  await aws.load();
  const server = await listenOn(aws.handle, { port: 0 });
  try {
    const credentials = { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' };
    const clients = createAwsClients({ region: 'us-east-1', endpoint: server.url, credentials });
    const cloud = createAwsCloud({
      clock,
      gate,
      random: seededRandom(2),
      clusterName: 'demo',
      region: 'us-east-1',
      clients,
    });
    const { signal } = new AbortController();
    expect(await cloud.controlPlane.kubernetesVersion(signal)).toBe('1.28');
    expect(await cloud.instances.list(signal)).toEqual([]);
    expect(await cloud.instances.get('aws:///us-east-1a/i-0123456789abcdef0', signal)).toBe(undefined);
  } finally {
    await server.close();
  }
});

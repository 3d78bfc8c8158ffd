import { daemonSets, deployments, instant } from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import {
  inProcessTransport,
  type KubernetesClient,
  kubernetesClient,
  seededRandom,
  virtualTime,
} from '@nodewright/runtime';
import { never } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { createSandbox } from './sandbox.ts';

const namespace = 'kube-system';
const addon = { clusterName: 'sandbox', addonName: 'aws-ebs-csi-driver' };

async function aSandboxWithServices() {
  const time = virtualTime(instant(Date.parse('2026-01-28T16:00:00Z')));
  const sandbox = await createSandbox({
    ...time,
    random: seededRandom(1),
    clusterName: 'sandbox',
    kubernetesVersion: '1.33',
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b'],
    releases: builtInReleases(),
    way: 'direct',
    clusterServices: true,
  });
  await time.finish(sandbox.start());
  const served = { signal: never, serving: { wait: (work: () => Promise<void>) => work() } };
  const kubernetes = (base: string): KubernetesClient =>
    kubernetesClient({
      transport: inProcessTransport(
        time.gate,
        (request, ...rest) => sandbox.handleClusters({ ...request, path: `${base}${request.path}` }, ...rest),
        { peer: { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } } },
      ),
      gate: time.gate,
      userAgent: 'test',
    });
  return {
    sandbox,
    time,
    kubernetes,
    ask: async (operation: string, further: object = {}) => {
      const call = { service: 'eks', operation, input: { ...addon, ...further } };
      expect((await sandbox.aws.answer(call, served)).kind).toBe('answered');
      await time.run(instant(time.clock.now() + 60_000));
    },
    daemon: () => time.finish(sandbox.admin.get(daemonSets, { namespace, name: 'ebs-csi-node' })),
    controller: () => time.finish(sandbox.admin.get(deployments, { namespace, name: 'ebs-csi-controller' })),
    stop: () => sandbox.stop(),
  };
}

test('the add-on of the EBS driver brings its workloads, changes their version, and takes them away', async () => {
  const { ask, daemon, controller, stop } = await aSandboxWithServices();
  expect(await daemon()).toBeUndefined();
  await ask('CreateAddon', { addonVersion: 'v1.44.0-eksbuild.1' });
  const imageOf = async () => (await daemon())?.spec.template.spec.containers[0]?.image;
  expect(await imageOf()).toMatch(/aws-ebs-csi-driver:v1\.44\.0$/);
  expect((await controller())?.status?.readyReplicas).toBe(2);
  await ask('UpdateAddon', { addonVersion: 'v1.48.0-eksbuild.2' });
  expect(await imageOf()).toMatch(/aws-ebs-csi-driver:v1\.48\.0$/);
  await ask('DeleteAddon');
  expect([await daemon(), await controller()]).toEqual([undefined, undefined]);
  stop();
});

test('the add-on has its workloads on a cluster that a user created as well', async () => {
  const { ask, daemon, sandbox, time, kubernetes, stop } = await aSandboxWithServices();
  const resourcesVpcConfig = { subnetIds: sandbox.aws.ec2.network.subnets.map(({ id }) => id) };
  const roleArn = 'arn:aws:iam::111122223333:role/eks-cluster';
  await ask('CreateCluster', { name: 'second', version: '1.33', roleArn, resourcesVpcConfig });
  await time.run(instant(time.clock.now() + 15 * 60_000));
  const client = kubernetes('/clusters/111122223333/us-east-1/second');
  const daemonOfSecond = () => time.finish(client.get(daemonSets, { namespace, name: 'ebs-csi-node' }));
  await ask('CreateAddon', { clusterName: 'second' });
  expect((await daemonOfSecond())?.metadata.name).toBe('ebs-csi-node');
  expect(await daemon()).toBeUndefined();
  await ask('DeleteAddon', { clusterName: 'second' });
  expect(await daemonOfSecond()).toBeUndefined();
  stop();
});

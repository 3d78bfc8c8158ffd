import {
  byText,
  type DaemonSet,
  daemonSets,
  type Deployment,
  deployments,
  type Node,
  nodes,
  type Pod,
  pods,
} from '@nodewright/apis';
import { expect, test } from 'vitest';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { systemManifests } from '../system-objects/system-manifests.ts';

const web: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};

const nextImage = { spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } } };

/** A cluster comes up and rolls a new image out; everything restarts after so many steps of each half. */
async function story(restartAfter: number): Promise<readonly string[]> {
  const cluster = new SmallCluster();
  await cluster.create<DaemonSet>(daemonSets, ...systemManifests());
  await cluster.create(deployments, web);
  cluster.launch();
  await steps(cluster, restartAfter);
  cluster.restart();
  await cluster.after(90);
  const key = { name: 'web', namespace: 'default' };
  await cluster.do((client) => client.patch(deployments, key, { type: 'strategic', patch: nextImage }));
  await steps(cluster, restartAfter);
  cluster.restart();
  await cluster.after(90);
  expect(cluster.complaints).toEqual([]);
  return [...(await cluster.list(nodes)).map(showNode), ...(await cluster.list(pods)).map(showPod).toSorted(byText)];
}

async function steps(cluster: SmallCluster, count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) await cluster.time.step();
}

const showNode = ({ metadata, spec, status }: Node): string => {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  return `node ${metadata.name} ready ${ready} taints ${JSON.stringify(spec?.taints ?? [])}`;
};

const showPod = ({ metadata, spec, status }: Pod): string =>
  `pod ${metadata.labels?.['app'] ?? metadata.labels?.['k8s-app']} ${spec.containers[0]?.image} ${status?.phase} on ${spec.nodeName}`;

for (const restartAfter of [1, 20, 80, 160, 300]) {
  test(`a control plane that restarts after ${restartAfter} steps ends as one that does not`, async () => {
    const node = 'ip-192-168-0-1.ec2.internal';
    const registry = '602401143452.dkr.ecr.us-east-1.amazonaws.com';
    expect(await story(restartAfter)).toEqual([
      `node ${node} ready True taints []`,
      `pod aws-node ${registry}/amazon-k8s-cni:v1.16.2-eksbuild.1 Running on ${node}`,
      `pod kube-proxy ${registry}/eks/kube-proxy:v1.28.6-minimal-eksbuild.2 Running on ${node}`,
      `pod web web:2 Running on ${node}`,
      `pod web web:2 Running on ${node}`,
      `pod web web:2 Running on ${node}`,
    ]);
  });
}

import {
  deployments,
  ec2NodeClasses,
  fromTimestamp,
  instant,
  minutes,
  nodePools,
  type ResourceType,
  toTimestamp,
} from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { restoreBeginning, takeSnapshot } from '@nodewright/forecast';
import { createAwsCloud, createInProcessClients } from '@nodewright/provider-aws';
import { seededRandom } from '@nodewright/runtime';
import { sandboxNodeClass } from '@nodewright/testkit/worlds';
import { openDataDirectory } from '../../packages/cli/src/world/data-directory.ts';
import type { Snapshot } from '../../packages/forecast/src/snapshot/snapshot.ts';
import { createForecastWorld } from '../../packages/forecast/src/world/forecast-world.ts';
import { multiplySnapshot } from './multiply-snapshot.ts';

export const benchCluster = {
  start: '2025-03-03T06:00:00Z',
  clusterName: 'sandbox',
  kubernetesVersion: '1.31',
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b'],
};

const podsPerNode = 20;

const nodePool = {
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'karpenter.k8s.aws/instance-cpu', operator: 'In' as const, values: ['8'] }],
      },
    },
  },
};
const labels = { app: 'web' };
const container = {
  name: 'web',
  image: 'registry.example.com/web:1',
  env: [{ name: 'MODE', value: 'production' }],
  ports: [{ containerPort: 8080 }],
  resources: { requests: { cpu: '350m', memory: '500Mi' } },
};
const workload = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: podsPerNode,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
  },
};

/** A cluster of one node that is full of pods, as the controllers launched it. */
export async function snapOneNode(): Promise<Snapshot> {
  const world = await createForecastWorld({ ...benchCluster, releases: builtInReleases() }, { seed: 1 });
  await world.start();
  const { admin, aws, time } = world;
  await time.finish(admin.create(ec2NodeClasses, sandboxNodeClass));
  await time.finish(admin.create(nodePools, nodePool));
  await time.finish(admin.create(deployments as ResourceType, workload));
  await time.run(instant(time.clock.now() + minutes(5)));
  const clients = createInProcessClients({ gate: time.gate, answer: aws.answer });
  const { clusterName, region } = benchCluster;
  const { clock, gate } = time;
  const place = { clock, gate, random: seededRandom(1), clients, clusterName, region };
  const sources = { ...place, client: admin, cloud: createAwsCloud(place), now: time.clock.now() };
  const snapshot = await time.finish(takeSnapshot(sources, new AbortController().signal));
  await world.stop();
  return snapshot;
}

/** Writes a data directory of a sandbox with so many nodes like that one. @returns how many pods are in it */
export async function writeLargeHome(folder: string, snapshot: Snapshot, nodes: number): Promise<number> {
  const large = multiplySnapshot(snapshot, nodes);
  const { ledger: source } = await restoreBeginning(large);
  const home = openDataDirectory(folder, { fsync: 'never', warn: console.error });
  const kept = home.ledger(() => fromTimestamp(snapshot.takenAt), { onProblem: () => undefined });
  kept.commit(() => {
    for (const name of source.names()) {
      const map = kept.map(name);
      for (const [key, value] of source.map(name)) map.set(key, value);
    }
  });
  const { clusterName, region, zones } = benchCluster;
  const ports = { kubernetes: 0, aws: 0, control: 0 };
  const releasesUntil = toTimestamp(fromTimestamp(snapshot.takenAt));
  home.remember({ clusterName, region, zones, seed: 1, starts: 1, ports, releasesUntil });
  home.close();
  return large.kubernetes['pods']?.length ?? 0;
}

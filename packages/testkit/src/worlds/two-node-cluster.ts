import {
  deployments,
  ec2NodeClasses,
  type EC2NodeClass,
  instant,
  minutes,
  type NodePool,
  nodePools,
  type ResourceType,
} from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import type { KubernetesClient, VirtualTime } from '@nodewright/runtime';

const byTag = [{ tags: { 'karpenter.sh/discovery': 'sandbox' } }];

/** The NodeClass of a cluster called sandbox, with the role and the tags that its account has. */
export const sandboxNodeClass: EC2NodeClass = {
  metadata: { name: 'default' },
  spec: {
    role: 'KarpenterNodeRole-sandbox',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: byTag,
    securityGroupSelectorTerms: byTag,
  },
};

/** A pod of its workload needs a node of its own. */
export const twoTypesNodePool: NodePool = {
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large', 'c5.large'] }],
      },
    },
  },
};

/** Two pods, with a secret among their variables. */
const webDeployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'web',
            env: [{ name: 'TOKEN', value: 'secret' }],
            resources: { requests: { cpu: '1' } },
          },
        ],
      },
    },
  },
};

/** How a cluster of two nodes begins. */
export const beginningOfTwoNodes = {
  start: '2025-03-03T06:00:00Z',
  clusterName: 'sandbox',
  kubernetesVersion: '1.31',
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b'],
  releases: builtInReleases(),
};

type EmptyWorld = {
  readonly admin: KubernetesClient;
  readonly time: Pick<VirtualTime, 'clock' | 'finish' | 'run'>;
  start(): Promise<unknown>;
};

/** Brings up the two nodes of the workload in an empty world, and settles it. */
export async function startTwoNodes(world: EmptyWorld): Promise<void> {
  await world.start();
  const { admin, time } = world;
  await time.finish(admin.create(ec2NodeClasses, sandboxNodeClass));
  await time.finish(admin.create(nodePools, twoTypesNodePool));
  await time.finish(admin.create(deployments as ResourceType, webDeployment));
  await time.run(instant(time.clock.now() + minutes(3)));
}

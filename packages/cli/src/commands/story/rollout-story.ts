import {
  conditionOf,
  deployments,
  ec2NodeClasses,
  minutes,
  nodePools,
  nodeRolloutPolicies,
  nodeRollouts,
  rolloutRequestAnnotation,
  type Deployment,
  type EC2NodeClass,
  type NodePool,
  type NodeRolloutPolicy,
} from '@nodewright/apis';
import type { NodeLife } from './chronicle.ts';
import { Lives } from './lives.ts';
import { Scene } from './scene.ts';
import { type Stage, tellChanges, type Telling } from './story.ts';

/** A release of AL2 that comes out soon after the story begins. Its machines never join the cluster. */
export const releaseThatNeverJoins = {
  family: 'AL2',
  variant: 'standard',
  arch: 'amd64',
  kubernetesVersion: '1.28',
  version: 'v20240128',
  imageId: 'ami-0bad0bad0bad0bad0',
  name: 'amazon-eks-node-1.28-v20240128',
  createdAt: '2024-01-28T10:00:00Z',
  publishedAt: '2024-01-28T16:06:00Z',
  behavior: 'neverJoins',
} as const;

const policyName = 'production';
const firstRollout = `${policyName}-1`;
const discovery = (cluster: string) => [{ tags: { 'karpenter.sh/discovery': cluster } }];

const storyNodeClass = (cluster: string): EC2NodeClass => ({
  metadata: { name: 'default' },
  spec: {
    role: `karpenterNodeRole-${cluster}`,
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    subnetSelectorTerms: discovery(cluster),
    securityGroupSelectorTerms: discovery(cluster),
  },
});

const storyNodePool: NodePool = {
  metadata: { name: 'default' },
  spec: {
    disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '100%' }] },
    template: {
      spec: {
        expireAfter: 'Never',
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [
          { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
        ],
      },
    },
  },
};

const storyPolicy: NodeRolloutPolicy = { metadata: { name: policyName }, spec: { preset: 'standard' } };

const storyDeployment = (replicas: number): Deployment => ({
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'pause', resources: { requests: { cpu: '1' } } }] },
    },
  },
});

/**
 * A bad release under a policy of five lines: it reaches one node of three, which never joins. The rollout halts, a rule
 * keeps the image out, a person takes the rollout back, and pods that come later get nodes of the proven release.
 * @throws when a step of it does not come true in time
 */
export async function playRolloutStory(stage: Stage, tell: Telling): Promise<readonly NodeLife[]> {
  const { client, clock } = stage;
  const scene = new Scene(stage);
  const lives = new Lives();
  await scene.synced();
  const stopTelling = tellChanges({ scene, lives, stage, tell });
  const isTold = (rollout: string, reason: string): boolean =>
    scene.events.store.list().some((event) => event.involvedObject.name === rollout && event.reason === reason);
  try {
    tell.command(
      clock.now(),
      'kubectl apply -f ec2nodeclass.yaml -f nodepool.yaml -f deployment.yaml -f noderolloutpolicy.yaml',
    );
    await client.create(ec2NodeClasses, storyNodeClass(stage.clusterName));
    await client.create(nodePools, storyNodePool);
    await client.create(deployments, storyDeployment(3));
    await client.create(nodeRolloutPolicies, storyPolicy);
    await scene.until('three pods run', () => readyStoryPods(scene) === 3, minutes(10));
    await scene.until('the new release goes to one node', () => isTold(firstRollout, 'WaveBegun'), minutes(20));
    await scene.until('the rollout halts', () => isTold(firstRollout, 'Halted'), minutes(30));

    const annotation = rolloutRequestAnnotation('rollback');
    tell.command(clock.now(), `kubectl annotate noderollout ${firstRollout} ${annotation}='its machines never join'`);
    const patch = { metadata: { annotations: { [annotation]: 'its machines never join' } } };
    await client.patch(nodeRollouts, { name: firstRollout }, { type: 'merge', patch });
    await scene.until('the rollout is taken back', () => isTold(`${policyName}-2`, 'RolledBack'), minutes(30));

    tell.command(clock.now(), 'kubectl scale deployment web --replicas 4');
    const key = { name: 'web', namespace: 'default' };
    await client.patch(deployments, key, { type: 'merge', patch: { spec: { replicas: 4 } } });
    await scene.until('four pods run on proven nodes', () => readyStoryPods(scene) === 4, minutes(15));
    return lives.all(stage.releases);
  } finally {
    stopTelling();
    await scene.stop();
  }
}

const readyStoryPods = (scene: Scene): number =>
  scene.pods.store
    .list()
    .filter((pod) => pod.metadata.labels?.['app'] === 'web' && conditionOf(pod, 'Ready')?.status === 'True').length;

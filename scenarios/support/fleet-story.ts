import {
  deployments,
  ec2NodeClasses,
  type EC2NodeClass,
  instant,
  nodeClaims,
  nodePools,
  type NodePool,
  nodes,
  podDisruptionBudgets,
  pods,
  type ResourceType,
  hours,
  minutes,
} from '@nodewright/apis';
import { clusterName, type ForceWorld } from './force-world.ts';

export type FleetPool = { readonly name: string; readonly nodes: number; readonly budget: string };

export type FleetStory = {
  readonly pools: readonly FleetPool[];
  /** How many pods of the last pool may be away at once. */
  readonly mayBeAway: number;
  /** How long the world may take for each half of the story. */
  readonly withinMs?: number;
};

/** Nodes for one pod each; then the control plane is upgraded, and every node is replaced. */
export async function playFleet(world: ForceWorld, { pools, mayBeAway, withinMs = hours(4) }: FleetStory) {
  const { client, apply, time } = world;
  const total = pools.reduce((sum, pool) => sum + pool.nodes, 0);
  await apply(client.create(ec2NodeClasses, nodeClass));
  for (const pool of pools) await apply(client.create(nodePools, nodePool(pool)));
  for (const pool of pools) await apply(client.create(deployments as ResourceType, deployment(pool)));
  const guarded = pools.at(-1)?.name ?? '';
  await apply(
    client.create(podDisruptionBudgets, {
      metadata: { name: guarded, namespace: 'default' },
      spec: { maxUnavailable: mayBeAway, selector: { matchLabels: { app: guarded } } },
    }),
  );
  const settledOn = (minor: string) => async (): Promise<boolean> => {
    const [all, running] = [(await apply(client.list(nodes))).items, (await apply(client.list(pods))).items];
    const claims = (await apply(client.list(nodeClaims))).items;
    return (
      all.length === total &&
      claims.length === total &&
      all.every(({ metadata, spec, status }) => {
        const ready = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
        return (
          ready === true &&
          metadata.deletionTimestamp === undefined &&
          !(spec?.taints ?? []).some(({ key }) => key.startsWith('karpenter.sh/')) &&
          status?.nodeInfo?.['kubeletVersion']?.startsWith(`v${minor}.`) === true
        );
      }) &&
      running.filter((pod) => pod.metadata.namespace === 'default' && pod.status?.phase === 'Running').length === total
    );
  };
  await world.until(`${total} nodes of 1.28`, settledOn('1.28'), instant(time.clock.now() + withinMs));
  await world.upgrade('1.29');
  await world.until(`${total} nodes of 1.29`, settledOn('1.29'), instant(time.clock.now() + withinMs));
  await world.advance(minutes(5));
}

const byTag = [{ tags: { 'karpenter.sh/discovery': clusterName } }];

export const nodeClass: EC2NodeClass = {
  metadata: { name: 'default' },
  spec: {
    role: `KarpenterNodeRole-${clusterName}`,
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    subnetSelectorTerms: byTag,
    securityGroupSelectorTerms: byTag,
  },
};

export const nodePool = ({ name, budget }: FleetPool): NodePool => ({
  metadata: { name },
  spec: {
    disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never', budgets: [{ nodes: budget }] },
    template: {
      metadata: { labels: { team: name } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [
          { key: 'karpenter.k8s.aws/instance-cpu', operator: 'In', values: ['2'] },
          { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
        ],
      },
    },
  },
});

export const deployment = ({ name, nodes: replicas }: FleetPool) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        nodeSelector: { team: name },
        terminationGracePeriodSeconds: 5,
        containers: [{ name: 'app', image: 'pause', resources: { requests: { cpu: '1200m', memory: '256Mi' } } }],
      },
    },
  },
});

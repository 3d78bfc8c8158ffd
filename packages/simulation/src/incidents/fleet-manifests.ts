import {
  type Deployment,
  type EC2NodeClass,
  type NodePool,
  type NodeRolloutPolicy,
  type NodeRolloutPolicySpec,
} from '@nodewright/apis';
import { simulatedCluster } from '../worlds/simulated-world.ts';
import type { FleetTraits } from './incident.ts';

/** `free` has no policy. */
export const fleetNames = ['free', 'governed'] as const;
export type FleetName = (typeof fleetNames)[number];

export const fleetLabel = 'simulation/fleet';

export const fleetClass = (name: FleetName, { family = 'al2023' }: FleetTraits): EC2NodeClass => {
  const byTag = [{ tags: { 'karpenter.sh/discovery': simulatedCluster.name } }];
  return {
    metadata: { name },
    spec: {
      role: `KarpenterNodeRole-${simulatedCluster.name}`,
      amiSelectorTerms: [{ alias: `${family}@latest` }],
      subnetSelectorTerms: byTag,
      securityGroupSelectorTerms: byTag,
    },
  };
};

export const fleetPool = (
  name: FleetName,
  { instanceType = 'm5.large', expireAfter = 'Never' }: FleetTraits,
): NodePool => ({
  metadata: { name, labels: { fleet: name } },
  spec: {
    disruption: { budgets: [{ nodes: '100%' }], consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    template: {
      metadata: { labels: { [fleetLabel]: name } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name },
        expireAfter,
        requirements: [
          { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [instanceType] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
        ],
      },
    },
  },
});

/** Pods that need a node each. */
export const fleetDeployment = (
  name: FleetName,
  replicas: number,
  { requests = { cpu: '1' } }: FleetTraits,
): Deployment => ({
  metadata: { name, namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        nodeSelector: { [fleetLabel]: name },
        containers: [{ name: 'app', image: 'pause', resources: { requests, limits: limitsOf(requests) } }],
      },
    },
  },
});

/** Devices have a limit as high as their request. */
const limitsOf = (requests: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(requests).filter(([resource]) => resource.includes('/')));

export const fleetPolicy = (more: NodeRolloutPolicySpec = {}): NodeRolloutPolicy => ({
  metadata: { name: 'production' },
  spec: { preset: 'standard', selector: { nodePools: { matchLabels: { fleet: 'governed' } } }, ...more },
});

import {
  type Deployment,
  type EC2NodeClass,
  type NodePool,
  type NodeRolloutPolicy,
  type NodeRolloutPolicySpec,
  type Service,
} from '@nodewright/apis';
import { simulatedCluster } from '../worlds/simulated-world.ts';
import type { IncidentFleet } from './fleet.ts';

/** `free` has no policy. */
export const fleetNames = ['free', 'governed'] as const;
export type FleetName = (typeof fleetNames)[number];

export const poolLabelOfFleet = 'simulation/pool';

/** A NodePool of a fleet, and the pods that are bound to it. */
export type IncidentPool = { readonly name: string; readonly fleet: FleetName; readonly instanceType: string };

/** Names begin with that of the fleet. */
export function listFleetPools(
  fleet: FleetName,
  { instanceType = 'm5.large', secondType }: IncidentFleet,
): readonly IncidentPool[] {
  const first = { name: fleet, fleet, instanceType };
  return secondType === undefined ? [first] : [first, { name: `${fleet}-2`, fleet, instanceType: secondType }];
}

/** The fleet of a NodePool or of a workload. */
export const fleetOf = (name: string): FleetName | undefined =>
  fleetNames.find((each) => name === each || name.startsWith(`${each}-`));

/** @param release the one that is pinned; without it the newest */
export const fleetClass = (name: FleetName, { family = 'al2023' }: IncidentFleet, release = 'latest'): EC2NodeClass => {
  const byTag = [{ tags: { 'karpenter.sh/discovery': simulatedCluster.name } }];
  return {
    metadata: { name },
    spec: {
      role: `KarpenterNodeRole-${simulatedCluster.name}`,
      amiSelectorTerms: [{ alias: `${family}@${release}` }],
      subnetSelectorTerms: byTag,
      securityGroupSelectorTerms: byTag,
    },
  };
};

export const fleetPoolManifest = (
  { name, fleet, instanceType }: IncidentPool,
  { lifeMinutes, budget = '100%' }: IncidentFleet,
  nodes: number,
): NodePool => ({
  metadata: { name, labels: { fleet } },
  spec: {
    disruption: { budgets: [{ nodes: budget }], consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    template: {
      metadata: { labels: { [poolLabelOfFleet]: name } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: fleet },
        expireAfter: lifeMinutes === undefined ? 'Never' : `${lifeMinutes(nodes)}m`,
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
  { name }: IncidentPool,
  replicas: number,
  { requests = { cpu: '1' } }: IncidentFleet,
): Deployment => ({
  metadata: { name, namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        nodeSelector: { [poolLabelOfFleet]: name },
        containers: [{ name: 'app', image: 'pause', resources: { requests, limits: deviceLimits(requests) } }],
      },
    },
  },
});

/** In front of all pods of a fleet. */
export const fleetService = (name: FleetName): Service => ({
  metadata: { name, namespace: 'default' },
  spec: { selector: { app: name }, ports: [{ port: 80 }] },
});

/** Devices have a limit as high as their request. */
const deviceLimits = (requests: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(requests).filter(([resource]) => resource.includes('/')));

export const fleetPolicy = (more: NodeRolloutPolicySpec = {}): NodeRolloutPolicy => ({
  metadata: { name: 'production' },
  spec: {
    preset: 'standard',
    selector: {
      nodePools: { matchLabels: { fleet: 'governed' } },
      nodeGroups: { matchLabels: { fleet: 'governed' } },
    },
    ...more,
  },
});

import { nodeGroups, type NodeGroup, podDisruptionBudgets, type PodDisruptionBudget } from '@nodewright/apis';
import { createNodegroup, updateNodegroupVersion } from '@nodewright/aws-endpoints';
import { type SimulatedWorld, simulatedCluster } from '../worlds/simulated-world.ts';
import type { IncidentFleet, ManagedGroupFleet } from './fleet.ts';
import { type FleetName, fleetNames, type IncidentPool, poolLabelOfFleet } from './fleet-manifests.ts';

/** A managed node group of a fleet, and the pods that are bound to it. */
export type IncidentGroup = IncidentPool & { readonly size: number };

/** Names begin with that of the fleet. The small group of two is the one that a wave of one node fits. */
export function listFleetGroups(
  fleet: FleetName,
  { managedGroups }: IncidentFleet,
  nodes: number,
): readonly IncidentGroup[] {
  const group = (name: string, size: number): IncidentGroup => ({ name, fleet, instanceType: 'm5.large', size });
  if (managedGroups === undefined) return [];
  if (managedGroups.of === 'one') return [group(fleet, nodes)];
  return [group(fleet, nodes - 1), group(`${fleet}-2`, 1)];
}

/** EKS makes the group, on the release that it recommends now. */
export function createFleetGroup(
  { sandbox }: SimulatedWorld,
  group: IncidentGroup,
  { strategy }: ManagedGroupFleet,
): void {
  const { eks, ec2 } = sandbox.aws;
  createNodegroup(eks, {
    clusterName: simulatedCluster.name,
    nodegroupName: group.name,
    subnets: ec2.network.subnets.filter(({ public: isPublic }) => !isPublic).map(({ id }) => id),
    nodeRole: sandbox.aws.iam.role(`KarpenterNodeRole-${simulatedCluster.name}`).arn,
    instanceTypes: [group.instanceType],
    amiType: 'AL2023_x86_64_STANDARD',
    scalingConfig: { minSize: 0, maxSize: group.size + 1, desiredSize: group.size },
    updateConfig: { maxUnavailable: 1, updateStrategy: strategy },
    labels: { [poolLabelOfFleet]: group.name },
  });
}

/** People ask EKS for the release that it recommends, in each group of the fleet without a policy that is not busy. */
export function updateFreeGroups({ sandbox }: SimulatedWorld, groups: readonly IncidentGroup[]): void {
  const { eks } = sandbox.aws;
  for (const { name, fleet } of groups)
    if (fleet === 'free' && eks.nodeGroups.running(name) === undefined)
      updateNodegroupVersion(eks, { clusterName: simulatedCluster.name, nodegroupName: name });
}

/** The groups under the policy are kept by the controllers. */
export async function keepPolicyGroups(
  { sandbox, time }: SimulatedWorld,
  groups: readonly IncidentGroup[],
): Promise<void> {
  for (const group of groups)
    if (group.fleet === 'governed') await time.finish(sandbox.admin.create(nodeGroups, keptFleetGroup(group)));
}

const keptFleetGroup = ({ name, fleet }: IncidentGroup): NodeGroup => ({
  metadata: { name, labels: { fleet } },
  spec: { eks: { name }, image: { amiSelectorTerms: [{ alias: 'al2023@latest' }] }, update: { mode: 'Automatic' } },
});

/** No pod of a fleet may be evicted from now on. */
export async function forbidEvictions({ sandbox, time }: SimulatedWorld): Promise<void> {
  for (const name of fleetNames) await time.finish(sandbox.admin.create(podDisruptionBudgets, closedBudget(name)));
}

const closedBudget = (name: FleetName): PodDisruptionBudget => ({
  metadata: { name, namespace: 'default' },
  spec: { maxUnavailable: 0, selector: { matchLabels: { app: name } } },
});

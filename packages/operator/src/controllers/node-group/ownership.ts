import type { NodeGroup } from '@nodewright/apis';
import type { GroupObstacle } from './obstacle.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

const ownedByEksTag = 'eks:nodegroup-name';

/** Why the group is not this NodeGroup's to update, if so. */
export function ownershipObstacles(seen: NodeGroupSnapshot): readonly GroupObstacle[] {
  const { keptBy, scaling, nodeGroup } = seen;
  const twice =
    keptBy === undefined ? [] : [{ reason: 'KeptTwice', message: `NodeGroup ${keptBy} keeps this group already` }];
  return nodeGroup.spec.autoScalingGroup === undefined || scaling === undefined
    ? twice
    : [...twice, ...plainObstacles(scaling, seen.nodes.length)];
}

function plainObstacles(
  { name, tags, instances, isOfCluster }: NonNullable<NodeGroupSnapshot['scaling']>,
  nodes: number,
): readonly GroupObstacle[] {
  const managed = tags[ownedByEksTag];
  if (managed !== undefined) {
    const message = `${name} belongs to the managed node group ${managed}, which EKS updates; name that in spec.eks`;
    return [{ reason: 'ManagedByEks', message }];
  }
  const running = instances.filter(({ lifecycle }) => lifecycle === 'InService').length;
  if (isOfCluster || running === 0 || nodes > 0) return [];
  const message = `none of the ${running} instances of ${name} is a node of this cluster, and the group has no tag of it: its pods would not be asked to leave`;
  return [{ reason: 'NotOfThisCluster', message }];
}

/** The older NodeGroup about the same group, by name where both are as old. */
export function keeperOf(nodeGroup: NodeGroup, all: readonly NodeGroup[]): string | undefined {
  const ageOf = ({ metadata }: NodeGroup): string => `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
  return all
    .filter((each) => each.metadata.name !== nodeGroup.metadata.name && isSameGroup(each, nodeGroup))
    .filter((each) => ageOf(each) < ageOf(nodeGroup) || nodeGroup.metadata.uid === undefined)
    .map(({ metadata }) => metadata.name)
    .toSorted()[0];
}

const isSameGroup = ({ spec: a }: NodeGroup, { spec: b }: NodeGroup): boolean =>
  a.eks?.name === b.eks?.name && a.autoScalingGroup?.name === b.autoScalingGroup?.name;

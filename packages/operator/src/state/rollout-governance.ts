import {
  type Instant,
  type NodeGroup,
  type NodePool,
  type NodeRollout,
  type NodeRolloutPolicy,
  oncePerPair,
  selectableLabels,
} from '@nodewright/apis';
import {
  assignPolicies,
  findImageObstacle,
  type GovernableObject,
  governablePool,
  governedId,
  type Governance,
  type ImageGate,
  isActingPolicy,
  readImageGate,
} from '@nodewright/engine';
import { isManagedNodeClass } from './managed.ts';
import type { Objects } from './objects.ts';

type PolicyObjects = Pick<Objects, 'rolloutPolicies' | 'nodePools'>;

export const isGovernablePool = ({ spec }: NodePool): boolean => isManagedNodeClass(spec.template.spec.nodeClassRef);

export const isLastingPolicy = ({ metadata }: NodeRolloutPolicy): boolean => metadata.deletionTimestamp === undefined;

export const governableGroup = (group: NodeGroup): GovernableObject => ({
  kind: 'NodeGroup',
  name: group.metadata.name,
  labels: selectableLabels(group),
});

/** A group whose image is not managed here is only watched. */
export const isGovernableGroup = ({ spec, metadata }: NodeGroup): boolean =>
  spec.image !== undefined && metadata.deletionTimestamp === undefined;

const assignGroups = oncePerPair((policies: readonly NodeRolloutPolicy[], groups: readonly NodeGroup[]): Governance =>
  assignPolicies(policies.filter(isLastingPolicy), groups.filter(isGovernableGroup).map(governableGroup)),
);

type GroupObjects = Pick<Objects, 'rolloutPolicies' | 'nodeGroups'>;

/** The policy that decides when a node group is updated, and to which image; absent where none does, or only reports. */
export function findPolicyOfGroup(objects: GroupObjects, nodeGroup: string): NodeRolloutPolicy | undefined {
  const policy = findPolicySelectingGroup(objects, nodeGroup);
  return policy !== undefined && isActingPolicy(policy) ? policy : undefined;
}

/** The policy that will decide about a node group once it has adopted what its nodes run: until then the group waits. */
export function findAdoptingPolicyOfGroup(objects: GroupObjects, nodeGroup: string): NodeRolloutPolicy | undefined {
  const policy = findPolicySelectingGroup(objects, nodeGroup);
  const isAdopting = policy?.spec.mode !== 'Report' && policy?.status?.baseline === undefined;
  return isAdopting ? policy : undefined;
}

function findPolicySelectingGroup(
  { rolloutPolicies, nodeGroups }: GroupObjects,
  nodeGroup: string,
): NodeRolloutPolicy | undefined {
  const policies = rolloutPolicies.list();
  if (policies.length === 0) return undefined;
  const { policyOf } = assignGroups(policies, nodeGroups.list());
  return rolloutPolicies.get(policyOf.get(governedId({ kind: 'NodeGroup', name: nodeGroup })) ?? '');
}

// A cache gives the same list until something in it changes.
const assignPools = oncePerPair((policies: readonly NodeRolloutPolicy[], pools: readonly NodePool[]): Governance =>
  assignPolicies(policies.filter(isLastingPolicy), pools.filter(isGovernablePool).map(governablePool)),
);

/** The policy that decides when nodes of a pool go and which images they get; absent where none does, or only reports. */
export function findActingPolicy(objects: PolicyObjects, nodePool: string): NodeRolloutPolicy | undefined {
  const policy = findPolicySelectingPool(objects, nodePool);
  return policy !== undefined && isActingPolicy(policy) ? policy : undefined;
}

/** Whether a policy decides when nodes of a pool go. One that has not adopted what they run yet lets none of them go. */
export function isPoolGoverned(objects: PolicyObjects, nodePool: string): boolean {
  const policy = findPolicySelectingPool(objects, nodePool);
  return policy !== undefined && policy.spec.mode !== 'Report';
}

/** The policy that a NodePool falls to, whether it acts or not. */
export function findPolicySelectingPool(
  { rolloutPolicies, nodePools }: PolicyObjects,
  nodePool: string,
): NodeRolloutPolicy | undefined {
  const policies = rolloutPolicies.list();
  if (policies.length === 0) return undefined;
  const { policyOf } = assignPools(policies, nodePools.list());
  return rolloutPolicies.get(policyOf.get(governedId({ kind: 'NodePool', name: nodePool })) ?? '');
}

/** The policy of an EC2NodeClass: all its pools fall to one, or none is governed. */
export function findPolicyOfClass(objects: PolicyObjects, nodeClass: string): NodeRolloutPolicy | undefined {
  if (objects.rolloutPolicies.list().length === 0) return undefined;
  const [pool] = objects.nodePools.by('nodeClass', nodeClass).filter(isGovernablePool);
  return pool === undefined ? undefined : findActingPolicy(objects, pool.metadata.name);
}

export const imageSourceOf = (nodeClass: string): string => `EC2NodeClass/${nodeClass}`;

export const groupSourceOf = (nodeGroup: string): string => governedId({ kind: 'NodeGroup', name: nodeGroup });

export type GateCircumstances = {
  readonly kubernetesVersion: string;
  readonly gone: readonly string[];
  readonly now: Instant;
};

/** How far the rollout under way has let the images of an EC2NodeClass go; absent where no policy governs it. */
export function readGateOfClass(
  objects: PolicyObjects & Pick<Objects, 'rollouts' | 'imageRules'>,
  nodeClass: string,
  { kubernetesVersion, gone, now }: GateCircumstances,
): ImageGate | undefined {
  const policy = findPolicyOfClass(objects, nodeClass);
  if (policy === undefined) return undefined;
  const question = { rules: objects.imageRules.list(), gone: new Set(gone), kubernetesVersion, now };
  return readImageGate(imageSourceOf(nodeClass), {
    policy,
    rollouts: rolloutsOfPolicy(objects, policy.metadata.name),
    obstacleOf: (image) => findImageObstacle(image, question),
  });
}

/** How far the rollout under way has let the image of a node group go; absent where no policy governs the group. */
export function readGateOfGroup(
  objects: Pick<Objects, 'rolloutPolicies' | 'nodeGroups' | 'rollouts' | 'imageRules'>,
  nodeGroup: string,
  { kubernetesVersion, gone, now }: GateCircumstances,
): ImageGate | undefined {
  const policy = findPolicyOfGroup(objects, nodeGroup);
  if (policy === undefined) return undefined;
  const question = { rules: objects.imageRules.list(), gone: new Set(gone), kubernetesVersion, now };
  return readImageGate(groupSourceOf(nodeGroup), {
    policy,
    rollouts: rolloutsOfPolicy(objects, policy.metadata.name),
    obstacleOf: (image) => findImageObstacle(image, question),
  });
}

export const rolloutsOfPolicy = ({ rollouts }: Pick<Objects, 'rollouts'>, policy: string): readonly NodeRollout[] =>
  rollouts.by('policy', policy);

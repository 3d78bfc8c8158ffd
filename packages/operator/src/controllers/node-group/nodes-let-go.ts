import type { NodeGroup } from '@nodewright/apis';
import type { NodesOfUpdate } from '@nodewright/nodegroups';
import type { ScalingGroup, ScalingInstance } from '@nodewright/ports';
import { instanceIdOfNode } from './names.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/**
 * Whether the nodes of a group go one after the other in a rollout. EKS updates groups whole. Instances of a warm pool
 * come into service with what they were launched from, so a group with one is updated whole, too.
 */
export const movesByNode = ({ spec }: NodeGroup, scaling: ScalingGroup | undefined): boolean =>
  spec.eks === undefined && scaling !== undefined && scaling.warm.length === 0;

/** Instances that the policy has let go, but for those with a pod that may never leave. */
export function instancesToReplace(seen: NodeGroupSnapshot): readonly ScalingInstance[] {
  const { scaling, rollout, wanted } = seen;
  const letGo = rollout?.byNode?.nodes;
  if (scaling === undefined || letGo === undefined || wanted.kind !== 'image') return [];
  const stuck = instancesWithStuckPods(seen);
  return scaling.instances.filter(
    ({ id, imageId, lifecycle }) =>
      letGo.has(id) && imageId !== wanted.image.id && lifecycle === 'InService' && !stuck.has(id),
  );
}

function instancesWithStuckPods({ nodes, pods, nodeGroup }: NodeGroupSnapshot): ReadonlySet<string> {
  if (nodeGroup.spec.update?.force === true) return new Set();
  const names = new Set(pods.filter(({ heldForGood }) => heldForGood !== undefined).map(({ node }) => node));
  return new Set(nodes.filter(({ metadata }) => names.has(metadata.name)).map(instanceIdOfNode));
}

/** The image that the group launches from for other reasons than the rollout; as it is where nothing can be launched. */
const restingImage = ({ scaling, rollout }: NodeGroupSnapshot): string =>
  rollout?.byNode?.launches ?? scaling?.template?.imageId ?? '';

export const isOnRestingImage = (seen: NodeGroupSnapshot): boolean =>
  seen.scaling?.template?.imageId === restingImage(seen);

/** What an update of some nodes begins with; absent where the whole group is updated. */
export function nodesOfUpdate(seen: NodeGroupSnapshot): NodesOfUpdate | undefined {
  const { scaling, rollout, wanted } = seen;
  if (rollout?.byNode === undefined || scaling === undefined || wanted.kind !== 'image') return undefined;
  return {
    ids: instancesToReplace(seen).map(({ id }) => id),
    known: scaling.instances.filter(({ imageId }) => imageId === wanted.image.id).map(({ id }) => id),
    rest: restingImage(seen),
  };
}

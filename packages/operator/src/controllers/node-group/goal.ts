import type { Node } from '@nodewright/apis';
import { imageOfGroupNode } from './image-of.ts';
import type { NodeGroupSnapshot, WantedState } from './snapshot.ts';

/** What the group is to run, as its update names it: a release of EKS, else the image. */
export const goalOfImage = ({ release, image }: Extract<WantedState, { kind: 'image' }>): string => release ?? image.id;

/**
 * The image that nodes go to now: that of the update under way, which need not be the one that is wanted by
 * now, or by us. What another update makes of the group, its template tells as soon as it is pointed there.
 */
export function goalOfGroup({ wanted, nodeGroup, scaling }: NodeGroupSnapshot): string | undefined {
  const update = nodeGroup.status?.update;
  const own = wanted.kind === 'image' ? wanted.image.id : undefined;
  if (update === undefined || (wanted.kind === 'image' && goalOfImage(wanted) === update.target)) return own;
  if (update.target.startsWith('ami-')) return update.target;
  const image = scaling?.template?.imageId;
  const isPointed = update.firstNewNodeAt !== undefined || scaling?.instances.some((each) => each.imageId !== image);
  return isPointed === true ? image : undefined;
}

/** Nodes that the update under way has still to replace, or the next one will. */
export function nodesToGo(seen: NodeGroupSnapshot): readonly Node[] {
  const goal = goalOfGroup(seen);
  if (goal === undefined) return seen.nodeGroup.status?.update === undefined ? [] : seen.nodes;
  return seen.nodes.filter((node) => imageOfGroupNode(node, seen.scaling) !== goal);
}

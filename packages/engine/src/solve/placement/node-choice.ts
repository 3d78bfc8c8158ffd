import type { NodeChange, PlannedNode } from '../nodes/planned-node.ts';

/** Which planned node takes a pod of those that could: the one with the fewest pods, or the one whose price rises least. */
export type NodeChoice = 'fewestPods' | 'leastRise';

/** What a node costs at least once a change is made to it, in millionths of a dollar per hour. */
export function priceWith({ template, types }: PlannedNode, change: NodeChange): number {
  const { table } = template;
  let left = change.types;
  if (left === undefined) {
    left = types.slice();
    table.keepFitting(change.total, left);
  }
  return table.lowestPrice(left, change.requirements);
}

/** How much more than now that is. */
export const priceRise = (node: PlannedNode, change: NodeChange): number =>
  priceWith(node, change) - node.template.table.lowestPrice(node.types, node.requirements);

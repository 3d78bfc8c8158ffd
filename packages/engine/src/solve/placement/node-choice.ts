import type { PlannedNodeChange, PlannedNode } from '../nodes/planned-node.ts';

/** Which of the suitable planned nodes takes a pod: the one with the fewest pods, or the one whose price rises least. */
export type PlannedNodePreference = 'fewestPods' | 'leastRise';

/** The lowest price of a node after a change, in millionths of a dollar per hour. */
export function priceWith({ template, types }: PlannedNode, change: PlannedNodeChange): number {
  const { table } = template;
  let left = change.types;
  if (left === undefined) {
    left = types.slice();
    table.keepFitting(change.total, left);
  }
  return table.lowestPrice(left, change.requirements);
}

/** How much the lowest price of a node rises by a change. */
export const priceRise = (node: PlannedNode, change: PlannedNodeChange): number =>
  priceWith(node, change) - node.template.table.lowestPrice(node.types, node.requirements);

import { fitsRow } from '../../instance-types/resource-rows.ts';
import { hasBit } from '../bit-set.ts';
import type { PlannedNodeChange, PlannedNode } from '../nodes/planned-node.ts';

/**
 * Which of the suitable planned nodes takes a pod: `fewestPods`; `roomToSpare`, the first with room for it on the type that is
 * its cheapest, else that with the fewest pods; `leastRise`, the one whose price rises least, for which all of them are asked.
 */
export type PlannedNodePreference = 'fewestPods' | 'roomToSpare' | 'leastRise';

/** The lowest price of a node after a change, in millionths of a dollar per hour. */
export function priceWith({ template, types }: PlannedNode, change: PlannedNodeChange): number {
  const { table } = template;
  let left = change.types;
  if (left === undefined) {
    left = types.slice();
    table.keepFitting(change.total, left);
  }
  return table.cheapestIn(left, change.requirements).price;
}

/** How much the lowest price of a node rises by a change. Nothing is looked for while its cheapest type still suits. */
export function priceRise(node: PlannedNode, change: PlannedNodeChange): number {
  const { option, price } = node.cheapest;
  const staysCheapest =
    price < Infinity && change.requirements === node.requirements && suitsOption(node, change, option);
  return staysCheapest ? 0 : priceWith(node, change) - price;
}

function suitsOption({ template }: PlannedNode, { types, total }: PlannedNodeChange, option: number): boolean {
  if (types !== undefined) return hasBit(types, option);
  const room = template.table.options[option]?.available;
  return room !== undefined && fitsRow(total, room);
}

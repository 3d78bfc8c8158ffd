import type { NodeRow } from '@nodewright/dashboard/rows';

/**
 * Which node has which place among the cells of its group. A node keeps its place for as long as it is there: cells do not
 * move while somebody looks. New nodes take the places of those that are gone, then places at the end. Where nodes only go,
 * the last ones take their places.
 */
export function fillSlots(before: readonly NodeRow[], nodes: readonly NodeRow[]): readonly NodeRow[] {
  const left = new Map(nodes.map((node) => [node.id, node]));
  const slots = before.map(({ id }) => takeSlotFrom(left, id));
  const fresh = left.values();
  const filled = slots.map((node) => node ?? fresh.next().value);
  return closeGaps([...filled, ...fresh]);
}

function takeSlotFrom(nodes: Map<string, NodeRow>, id: string): NodeRow | undefined {
  const node = nodes.get(id);
  nodes.delete(id);
  return node;
}

function closeGaps(slots: readonly (NodeRow | undefined)[]): readonly NodeRow[] {
  const count = slots.filter((node) => node !== undefined).length;
  const last = slots
    .slice(count)
    .filter((node) => node !== undefined)
    .values();
  return slots.slice(0, count).flatMap((node) => node ?? last.next().value ?? []);
}

/** As many rows of cells a block has. Blocks out of sight are neither laid out nor painted. */
const rowsOfBlock = 8;

/** The cells in blocks of whole rows. */
export function splitIntoBlocks(slots: readonly NodeRow[], columns: number): readonly (readonly NodeRow[])[] {
  const size = rowsOfBlock * Math.max(1, columns);
  const count = Math.ceil(slots.length / size);
  return Array.from({ length: count }, (_, index) => slots.slice(index * size, (index + 1) * size));
}

/** How many cells stand beside each other. */
export const countColumns = (width: number, cell: number, gap: number): number =>
  Math.max(1, Math.floor((width + gap) / (cell + gap)));

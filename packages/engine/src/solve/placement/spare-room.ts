import { fitsRow, subtractRows, type ResourceRow } from '../../instance-types/resource-rows.ts';
import { lowestBit } from '../bit-set.ts';
import type { PlannedNode } from '../nodes/planned-node.ts';
import type { NodeExclusion } from './fewest-first.ts';

/** What is left on each planned node of the type that is its cheapest now: pods that take no more make no node dearer. */
export class SpareRoom {
  readonly #rooms: (ResourceRow | undefined)[] = [];
  /** The most of each resource that one of the thirty-two nodes of a word has to spare. */
  readonly #most: ResourceRow[] = [];

  /** Follows a node whose pods have changed. */
  note({ index, template, cheapest, total }: PlannedNode): void {
    const option = template.table.options[cheapest.option];
    this.#rooms[index] = option && subtractRows(option.available, total);
    const word = index >>> 5;
    this.#most[word] = mostOf(this.#rooms.slice(word * 32, word * 32 + 32), total.length);
  }

  /** The nodes of an order that have as much to spare. */
  within(exclusion: NodeExclusion, wanted: ResourceRow): NodeExclusion {
    return {
      pass: (index, word) => {
        const most = this.#most[index];
        return most === undefined || !fitsRow(wanted, most)
          ? 0
          : this.#spared(index, exclusion.pass(index, word), wanted);
      },
    };
  }

  #spared(index: number, word: number, wanted: ResourceRow): number {
    let spared = 0;
    for (let left = word; left !== 0; left &= left - 1) {
      const room = this.#rooms[index * 32 + lowestBit(left)];
      if (room !== undefined && fitsRow(wanted, room)) spared |= left & -left;
    }
    return spared;
  }
}

function mostOf(rooms: readonly (ResourceRow | undefined)[], width: number): ResourceRow {
  const most = Array.from({ length: width }, () => -Infinity);
  for (const room of rooms) {
    if (room === undefined) continue;
    for (let resource = 0; resource < width; resource += 1)
      most[resource] = Math.max(most[resource] ?? 0, room[resource] ?? 0);
  }
  return most;
}

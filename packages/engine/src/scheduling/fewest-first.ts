import { addBit, bitSet, lowestBit, removeBit, withRoomFor } from './bit-set.ts';
import type { BitSet } from './bit-set.ts';

/**
 * Planned nodes in the order in which pods try them: those with the fewest pods first, then in the
 * order in which they were opened. Nodes are numbers from 0; those with equally many pods are one
 * bit set, so that nodes known to refuse are passed over word by word.
 */
export class FewestFirst {
  /** Rising by number of pods; no level is empty. */
  readonly #levels: { readonly pods: number; nodes: BitSet; size: number }[] = [];

  /** Puts a node where it belongs after its number of pods has grown. */
  move(node: number, pods: { readonly from: number; readonly to: number }): void {
    if (pods.from > 0) this.#leave(node, pods.from);
    this.#enter(node, pods.to);
  }

  /**
   * The first node, in order, that `visit` accepts.
   * @param refused nodes to pass over; `visit` may add to them
   */
  find(refused: BitSet, visit: (node: number) => boolean): number | undefined {
    for (const { nodes } of this.#levels) {
      for (let i = 0; i < nodes.length; i++) {
        for (let word = (nodes[i] ?? 0) & ~(refused[i] ?? 0); word !== 0; word &= word - 1) {
          const node = i * 32 + lowestBit(word);
          if (visit(node)) return node;
        }
      }
    }
    return undefined;
  }

  #leave(node: number, pods: number): void {
    const index = this.#levels.findIndex((level) => level.pods === pods);
    const level = this.#levels[index];
    if (level === undefined) return;
    removeBit(level.nodes, node);
    level.size -= 1;
    if (level.size === 0) this.#levels.splice(index, 1);
  }

  #enter(node: number, pods: number): void {
    let at = this.#levels.findIndex((level) => level.pods >= pods);
    if (at === -1) at = this.#levels.length;
    let level = this.#levels[at];
    if (level?.pods !== pods) {
      level = { pods, nodes: bitSet(node + 1), size: 0 };
      this.#levels.splice(at, 0, level);
    }
    level.nodes = withRoomFor(level.nodes, node + 1);
    addBit(level.nodes, node);
    level.size += 1;
  }
}

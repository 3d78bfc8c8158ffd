import { addBit, bitSet, lowestBit, removeBit, withRoomFor, type BitSet } from '../bit-set.ts';

/** Nodes with equally many pods. Words below `low` and above `high` are empty. */
type NodesOfEqualCount = { readonly pods: number; nodes: BitSet; size: number; low: number; high: number };

/** Removes excluded nodes from one word of a bit set. */
export type NodeExclusion = { pass(index: number, word: number): number };

/**
 * Planned nodes in the order in which pods try them: those with the fewest pods first, then in the
 * order in which they were opened. Nodes are numbers from 0; those with equally many pods are one
 * bit set, so that nodes known to refuse are passed over word by word.
 */
export class FewestFirst {
  /** Rising by number of pods; no level is empty. */
  readonly #levels: NodesOfEqualCount[] = [];

  /** Moves a node to its new level after its number of pods has grown. */
  move(node: number, pods: { readonly from: number; readonly to: number }): void {
    if (pods.from > 0) this.#leave(node, pods.from);
    this.#enter(node, pods.to);
  }

  /** The first node, in order, that is not excluded and that `visit` accepts. */
  find(exclusion: NodeExclusion, visit: (node: number) => boolean): number | undefined {
    for (const { nodes, low, high } of this.#levels) {
      for (let i = low; i <= high; i++) {
        const all = nodes[i] ?? 0;
        if (all === 0) continue;
        for (let word = exclusion.pass(i, all); word !== 0; word &= word - 1) {
          const node = i * 32 + lowestBit(word);
          if (visit(node)) return node;
        }
      }
    }
    return undefined;
  }

  #leave(node: number, pods: number): void {
    const index = this.#levelFrom(pods);
    const level = this.#levels[index];
    if (level?.pods !== pods) return;
    removeBit(level.nodes, node);
    level.size -= 1;
    if (level.size === 0) this.#levels.splice(index, 1);
    else while (level.nodes[level.low] === 0) level.low += 1;
  }

  #enter(node: number, pods: number): void {
    const at = this.#levelFrom(pods);
    let level = this.#levels[at];
    const word = node >>> 5;
    if (level?.pods !== pods) {
      level = { pods, nodes: bitSet(node + 1), size: 0, low: word, high: word };
      this.#levels.splice(at, 0, level);
    }
    level.nodes = withRoomFor(level.nodes, node + 1);
    addBit(level.nodes, node);
    level.size += 1;
    if (word < level.low) level.low = word;
    if (word > level.high) level.high = word;
  }

  /** The number of the first level with at least so many pods. */
  #levelFrom(pods: number): number {
    let at = 0;
    while (at < this.#levels.length && (this.#levels[at]?.pods ?? 0) < pods) at += 1;
    return at;
  }
}

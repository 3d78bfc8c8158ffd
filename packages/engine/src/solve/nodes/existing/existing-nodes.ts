import { byNumberOf } from '@nodewright/apis';
import { addBit, bitSet, hasBit, lowestBit, type BitSet } from '../../bit-set.ts';
import { ExistingNode } from './existing-node.ts';
import type { NodeState } from '../../../cluster/node-state.ts';
import type { PodClass } from '../../pods/pod-class.ts';
import type { ResourceTable } from '../../../instance-types/resource-rows.ts';
import type { ExistingCluster } from './existing-cluster.ts';

/** The nodes of the cluster that stay, as one round fills them. A node is read only when a pod may fit on it. */
export class ExistingNodes {
  readonly #cluster: ExistingCluster;
  readonly #resources: ResourceTable;
  readonly #gone: BitSet;
  /** Nodes that do not take kept-off pods, including the nodes that leave. */
  readonly #closed: BitSet;
  readonly #nodes = new Map<number, ExistingNode>();

  /**
   * @param gone numbers of nodes that are leaving
   * @param closed numbers of nodes that do not take kept-off pods
   */
  constructor(
    cluster: ExistingCluster,
    { gone, closed }: { readonly gone: readonly number[]; readonly closed: readonly number[] },
    resources: ResourceTable,
  ) {
    this.#cluster = cluster;
    this.#resources = resources;
    this.#gone = bitSet(cluster.nodes.length);
    for (const number of gone) addBit(this.#gone, number);
    this.#closed = closed.length === 0 ? this.#gone : this.#gone.slice();
    for (const number of closed) addBit(this.#closed, number);
  }

  get count(): number {
    return this.#cluster.nodes.length;
  }

  /**
   * The first node that `visit` accepts, initialized nodes first, then by name.
   * @param refused nodes to pass over; `visit` may add to them
   */
  find(
    podClass: PodClass,
    refused: BitSet,
    visit: (node: ExistingNode, number: number) => boolean,
  ): ExistingNode | undefined {
    const fitting = this.#cluster.fitting(podClass.row, this.#resources);
    const barred = podClass.isKeptOff ? this.#closed : this.#gone;
    for (let i = 0; i < fitting.length; i++) {
      for (let word = (fitting[i] ?? 0) & ~(barred[i] ?? 0) & ~(refused[i] ?? 0); word !== 0; word &= word - 1) {
        const number = i * 32 + lowestBit(word);
        const node = this.#nodeAt(number);
        if (node !== undefined && visit(node, number)) return node;
      }
    }
    return undefined;
  }

  /** The node of a state; `undefined` when it leaves or is of another cluster. */
  of(state: NodeState): ExistingNode | undefined {
    const number = this.#cluster.numberOf(state);
    return number === undefined || hasBit(this.#gone, number) ? undefined : this.#nodeAt(number);
  }

  /** The nodes that stay, in order. */
  get all(): readonly ExistingNode[] {
    return this.#cluster.nodes.flatMap((_, number) => (hasBit(this.#gone, number) ? [] : (this.#nodeAt(number) ?? [])));
  }

  /** The nodes on which the round has placed pods, in order. */
  get taken(): readonly ExistingNode[] {
    return [...this.#nodes]
      .filter(([, { pods }]) => pods.length > 0)
      .toSorted(byNumberOf(([number]) => number))
      .map(([, node]) => node);
  }

  #nodeAt(number: number): ExistingNode | undefined {
    let node = this.#nodes.get(number);
    if (node !== undefined) return node;
    const clusterNode = this.#cluster.nodes[number];
    const available = this.#cluster.rows(this.#resources)[number];
    if (clusterNode === undefined || available === undefined) return undefined;
    node = new ExistingNode(clusterNode, available);
    this.#nodes.set(number, node);
    return node;
  }
}

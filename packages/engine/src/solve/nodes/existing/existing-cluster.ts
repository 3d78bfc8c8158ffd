import { latestPerItem, latestPerObject, oncePerItem, oncePerObject, readOwn, writeOwn } from '@nodewright/apis';
import { nodeAllocatableOf, nodeCapacityOf, nodePoolNameOf, type NodeState } from '../../../cluster/node-state.ts';
import { RequestReader } from '../../../pods/request-reader.ts';
import { addBit, bitSet, type BitSet } from '../../bit-set.ts';
import { prefersNoSchedule } from '../../../pods/tolerations.ts';
import type { Resources } from '../../../instance-types/instance-type.ts';
import { fitsRow, type ResourceRow, type ResourceTable } from '../../../instance-types/resource-rows.ts';
import { noResources } from '../../../instance-types/resources.ts';
import { PodCounts } from './pod-counts.ts';
import { byReadiness, clusterNodes, type ClusterNode, type NodeSurroundings } from './cluster-node.ts';

/**
 * The nodes of a cluster as they are before a round, with everything derived from them. Rounds
 * and simulations over one list of nodes share it, so repeated questions are cheap.
 */
export class ExistingCluster {
  /** Initialized nodes first, then by name. */
  readonly nodes: readonly ClusterNode[];
  readonly podCounts: PodCounts;
  /** Numbers of the nodes that are leaving already. */
  readonly leaving: readonly number[];
  /** Whether some node has a PreferNoSchedule taint. */
  readonly somePreferNoSchedule: boolean;
  /** Every resource that some node has, with the amount of one of them. */
  readonly resources: Resources;
  readonly #numbers: ReadonlyMap<NodeState, number>;
  readonly #numbersOf = oncePerObject((states: ReadonlySet<NodeState>) =>
    [...states].flatMap((state) => this.numberOf(state) ?? []),
  );
  #used: ReadonlyMap<string, Resources> | undefined;
  #room:
    | { readonly names: string; readonly rows: readonly ResourceRow[]; readonly fitting: Map<string, BitSet> }
    | undefined;

  constructor(states: readonly NodeState[], around: NodeSurroundings) {
    this.nodes = clusterNodes(states, around, new RequestReader()).toSorted(byReadiness);
    this.podCounts = new PodCounts(this.nodes);
    this.resources = resourcesOfNodes(states);
    this.somePreferNoSchedule = this.nodes.some(({ taints }) => prefersNoSchedule(taints));
    this.leaving = this.nodes.flatMap(({ leaving }, number) => (leaving ? number : []));
    this.#numbers = new Map(this.nodes.map(({ state }, number) => [state, number]));
  }

  /** The number of a node among `nodes`; `undefined` when it is not of this cluster. */
  numberOf(state: NodeState): number | undefined {
    return this.#numbers.get(state);
  }

  /** The numbers of the given nodes; nodes of other clusters are left out. */
  numbersOf(states: ReadonlySet<NodeState> = noStates): readonly number[] {
    return this.#numbersOf(states);
  }

  /** The total capacity of the nodes of a pool. */
  capacityOf(nodePool: string): Resources {
    this.#used ??= capacityByPool(this.nodes);
    return this.#used.get(nodePool) ?? noResources;
  }

  /** What is left on each node, with resources in the order of a table. */
  rows(table: ResourceTable): readonly ResourceRow[] {
    return this.#roomIn(table).rows;
  }

  /** The nodes on which this amount fits before the round places anything. */
  fitting(wanted: ResourceRow, table: ResourceTable): BitSet {
    const { rows, fitting } = this.#roomIn(table);
    const text = wanted.join();
    let nodes = fitting.get(text);
    if (nodes === undefined) {
      nodes = bitSet(rows.length);
      for (const [number, row] of rows.entries()) if (fitsRow(wanted, row)) addBit(nodes, number);
      fitting.set(text, nodes);
    }
    return nodes;
  }

  #roomIn(table: ResourceTable) {
    const names = table.names.join();
    if (this.#room?.names !== names) {
      const rows = latestRoomRows(this.nodes, { names, table });
      this.#room = { names, rows, fitting: new Map() };
    }
    return this.#room;
  }
}

const noStates: ReadonlySet<NodeState> = new Set();

/** A node that is as it was has as much left, and tables mostly name the same resources. */
const latestRoomRows = latestPerItem(
  ({ available }: ClusterNode, { table }: { readonly names: string; readonly table: ResourceTable }) =>
    table.row(available),
  (before, now) => before.names === now.names,
);

function resourcesOfNodes(states: readonly NodeState[]): Resources {
  const resources: Record<string, number> = {};
  const seen = new Set<string>();
  for (const { allocatable, names } of allocatablesOf(states)) {
    if (seen.has(names)) continue;
    seen.add(names);
    for (const name in allocatable)
      if (readOwn(resources, name) === undefined) writeOwn(resources, name, readOwn(allocatable, name) ?? 0);
  }
  return resources;
}

/** Most nodes have resources of the same names. */
const allocatablesOf = oncePerItem((state: NodeState) => {
  const allocatable = nodeAllocatableOf(state);
  return { allocatable, names: Object.keys(allocatable).join() };
});

function capacityByPool(nodes: readonly ClusterNode[]): ReadonlyMap<string, Resources> {
  const used = new Map<string, Record<string, number>>();
  for (const { state } of nodes) {
    const nodePool = nodePoolNameOf(state) ?? '';
    const together = used.get(nodePool) ?? {};
    used.set(nodePool, together);
    const capacity = nodeCapacityOf(state);
    for (const name in capacity)
      writeOwn(together, name, (readOwn(together, name) ?? 0) + (readOwn(capacity, name) ?? 0));
  }
  return used;
}

/** All rounds without nodes share this cluster. */
const emptyCluster = new ExistingCluster([], { daemonPods: [] });

/** The cluster of a list of nodes: the same object as before while the surroundings are the same. */
export const existingCluster = (states: readonly NodeState[], around: NodeSurroundings): ExistingCluster =>
  states.length === 0 ? emptyCluster : latestCluster(states, around);

const latestCluster = latestPerObject(
  (states: readonly NodeState[], around: NodeSurroundings) => new ExistingCluster(states, around),
  (a, b) =>
    a.attachedVolumes === b.attachedVolumes &&
    a.daemonPods.length === b.daemonPods.length &&
    a.daemonPods.every((pod, index) => pod === b.daemonPods[index]),
);

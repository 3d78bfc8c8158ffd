import type { Node, Pod } from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import { isToBeAvoided } from '../placement/tolerations.ts';
import { type Amounts, readAmounts, subtractAmounts, requestsOfPod, addAmounts } from '../placement/pod-amounts.ts';

/** A pod and a node for it. */
export type Assigned = { readonly pod: Pod; readonly nodeName: string };

/** A pod that takes room on a node: bound, or about to be. */
export type PlacedPod = Assigned & { readonly requests: Amounts };

/** A node with what is on it. */
export type SchedulerNode = {
  readonly node: Node;
  readonly allocatable: Amounts;
  readonly requested: Amounts;
  readonly pods: ReadonlyMap<string, PlacedPod>;
};

type Building = { node?: Node; allocatable: Amounts; requested: Amounts; readonly pods: Map<string, PlacedPod> };

/** The scheduler's view of the cluster. Each change of an object updates it. */
export class SchedulerCluster {
  readonly #nodes = new Map<string, Building>();
  readonly #placed = new Map<string, PlacedPod>();
  readonly #byNamespace = new Map<string, Set<string>>();
  readonly #withAntiAffinity = new Set<string>();
  /** How many pods have each priority. */
  readonly #priorities = new Map<number, number>();
  #generation = 0;
  /** Names of nodes to avoid. */
  readonly #avoided = new Set<string>();
  /** Names of nodes in the order in which they changed; the older half goes when it has become long. */
  #changes: string[] = [];
  #changesGone = 0;

  /** Increases with every change that can affect scheduling. */
  get generation(): number {
    return this.#generation;
  }

  /** The least priority of a pod that takes room; `Infinity` without any. */
  get lowestPriority(): number {
    return Math.min(...this.#priorities.keys());
  }

  nodes(): readonly SchedulerNode[] {
    return [...this.#nodes.values()].filter((state): state is Building & { node: Node } => state.node !== undefined);
  }

  node(name: string): SchedulerNode | undefined {
    const state = this.#nodes.get(name);
    return state?.node === undefined ? undefined : { ...state, node: state.node };
  }

  /** Whether the choice of a node for a pod without wishes depends on each node alone. */
  get isPlain(): boolean {
    return this.#avoided.size === 0 && this.#withAntiAffinity.size === 0;
  }

  /**
   * The nodes that came, went or changed, or whose pods did; undefined when that is no longer known.
   * @param change the number of the last change that was seen
   */
  changedSince(change: number): ReadonlySet<string> | undefined {
    return change < this.#changesGone ? undefined : new Set(this.#changes.slice(change - this.#changesGone));
  }

  /** The number of the last change of a node. */
  get lastChange(): number {
    return this.#changesGone + this.#changes.length;
  }

  podsIn(namespace: string): readonly PlacedPod[] {
    return [...(this.#byNamespace.get(namespace) ?? [])].flatMap((key) => this.#placed.get(key) ?? []);
  }

  podsWithAntiAffinity(): readonly PlacedPod[] {
    return [...this.#withAntiAffinity].flatMap((key) => this.#placed.get(key) ?? []);
  }

  setNode(node: Node): void {
    this.#generation += 1;
    const state = this.#stateOf(node.metadata.name);
    state.node = node;
    this.#changed(node.metadata.name);
    if (isToBeAvoided(node)) this.#avoided.add(node.metadata.name);
    else this.#avoided.delete(node.metadata.name);
    state.allocatable = readAmounts(node.status?.allocatable);
  }

  removeNode(name: string): void {
    this.#generation += 1;
    delete this.#stateOf(name).node;
    this.#changed(name);
    this.#avoided.delete(name);
    this.#forgetEmpty(name);
  }

  placement(key: string): PlacedPod | undefined {
    return this.#placed.get(key);
  }

  place(pod: Pod, nodeName: string): void {
    const key = objectKeyText(pod);
    this.remove(key);
    const placed = { pod, nodeName, requests: requestsOfPod(pod) };
    this.#placed.set(key, placed);
    this.#countPriority(pod, 1);
    const state = this.#stateOf(nodeName);
    this.#changed(nodeName);
    state.pods.set(key, placed);
    state.requested = addAmounts(state.requested, placed.requests);
    namespaceSet(this.#byNamespace, pod).add(key);
    if (hasAntiAffinity(pod)) this.#withAntiAffinity.add(key);
  }

  remove(key: string): void {
    this.#generation += 1;
    const placed = this.#placed.get(key);
    if (placed === undefined) return;
    this.#placed.delete(key);
    this.#countPriority(placed.pod, -1);
    const state = this.#stateOf(placed.nodeName);
    this.#changed(placed.nodeName);
    state.pods.delete(key);
    state.requested = subtractAmounts(state.requested, placed.requests);
    namespaceSet(this.#byNamespace, placed.pod).delete(key);
    this.#withAntiAffinity.delete(key);
    this.#forgetEmpty(placed.nodeName);
  }

  /** Answers a question about the cluster without some of its pods, and restores the cluster afterwards. */
  without<T>(placed: readonly PlacedPod[], ask: () => T): T {
    const generation = this.#generation;
    for (const { pod } of placed) this.remove(objectKeyText(pod));
    try {
      return ask();
    } finally {
      for (const { pod, nodeName } of placed) this.place(pod, nodeName);
      this.#generation = generation;
    }
  }

  /** Answers a question about the cluster with additional pods in it, and restores the cluster afterwards. */
  beside<T>(assigned: readonly Assigned[], ask: () => T): T {
    const others = assigned.filter(({ pod }) => !this.#placed.has(objectKeyText(pod)));
    if (others.length === 0) return ask();
    const generation = this.#generation;
    for (const { pod, nodeName } of others) this.place(pod, nodeName);
    try {
      return ask();
    } finally {
      for (const { pod } of others) this.remove(objectKeyText(pod));
      this.#generation = generation;
    }
  }

  #changed(name: string): void {
    this.#changes.push(name);
    if (this.#changes.length <= mostNodeChanges) return;
    this.#changesGone += mostNodeChanges / 2;
    this.#changes = this.#changes.slice(mostNodeChanges / 2);
  }

  #countPriority({ spec: { priority = 0 } }: Pod, by: 1 | -1): void {
    const count = (this.#priorities.get(priority) ?? 0) + by;
    if (count === 0) this.#priorities.delete(priority);
    else this.#priorities.set(priority, count);
  }

  #stateOf(name: string): Building {
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    const state: Building = { allocatable: new Map(), requested: new Map(), pods: new Map() };
    this.#nodes.set(name, state);
    return state;
  }

  #forgetEmpty(name: string): void {
    const state = this.#nodes.get(name);
    if (state !== undefined && state.node === undefined && state.pods.size === 0) this.#nodes.delete(name);
  }
}

const mostNodeChanges = 20_000;

function namespaceSet(sets: Map<string, Set<string>>, pod: Pod): Set<string> {
  const namespace = pod.metadata.namespace ?? '';
  const known = sets.get(namespace) ?? new Set<string>();
  sets.set(namespace, known);
  return known;
}

const hasAntiAffinity = ({ spec }: Pod): boolean =>
  (spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0;

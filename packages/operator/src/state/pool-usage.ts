import {
  addResources,
  isMarkedForDeletion,
  nodeCapacityOf,
  nodePoolNameOf,
  noResources,
  subtractResources,
  type NodeState,
  type Resources,
} from '@nodewright/engine';

/** What the machines of each pool have in all, kept with each machine that changes. Amounts are whole numbers. */
export class PoolUsage {
  readonly #used = new Map<string, Resources>();

  of(nodePool: string): Resources {
    return this.#used.get(nodePool) ?? noResources;
  }

  replace(before: NodeState | undefined, after: NodeState | undefined): void {
    if (before !== undefined && after !== undefined && isSameUse(before, after)) return;
    if (before !== undefined) this.#change(before, subtractResources);
    if (after !== undefined) this.#change(after, addResources);
  }

  #change(state: NodeState, combine: (a: Resources, b: Resources) => Resources): void {
    const nodePool = nodePoolNameOf(state);
    if (nodePool === undefined || isMarkedForDeletion(state)) return;
    const used = combine(this.of(nodePool), nodeCapacityOf(state));
    if (used['nodes'] === 0) this.#used.delete(nodePool);
    else this.#used.set(nodePool, used);
  }
}

/** Most changes of a machine are changes of its pods. */
const isSameUse = (before: NodeState, after: NodeState): boolean =>
  nodeCapacityOf(before) === nodeCapacityOf(after) &&
  nodePoolNameOf(before) === nodePoolNameOf(after) &&
  isMarkedForDeletion(before) === isMarkedForDeletion(after);

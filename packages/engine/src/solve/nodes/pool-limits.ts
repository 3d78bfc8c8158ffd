import { byTextOf, type NodePool, readOwn, writeOwn } from '@nodewright/apis';
import { isMarkedForDeletion, nodeCapacityOf, nodePoolNameOf, type NodeState } from '../../cluster/node-state.ts';
import type { Resources } from '../../instance-types/instance-type.ts';
import { isEmptySet, type BitSet } from '../bit-set.ts';
import type { LimitUsage } from '../reasons/obstacles.ts';
import type { NodeTemplate } from './node-template.ts';
import { resourcesOf, sumOfResources } from '../../instance-types/resources.ts';

/** The first resource in which the nodes of a pool exceed `spec.limits`; `undefined` when no limit is exceeded. */
export function exceededLimit(nodePool: NodePool, nodes: readonly NodeState[]): string | undefined {
  const limits = Object.entries(resourcesOf(nodePool.spec.limits)).toSorted(byTextOf(([name]) => name));
  if (limits.length === 0) return undefined;
  const counted = nodes.filter(
    (state) => nodePoolNameOf(state) === nodePool.metadata.name && !isMarkedForDeletion(state),
  );
  const used = sumOfResources(counted.map(nodeCapacityOf));
  return limits.find(([name, limit]) => (readOwn(used, name) ?? 0) > limit)?.[0];
}

/** What is left of each limited resource of each pool while the round adds nodes. */
export class PoolLimits {
  readonly #remaining = new Map<string, Record<string, number>>();

  /** @param usedBy what the nodes of a pool that stay have together; asked only for pools with limits */
  constructor(templates: readonly NodeTemplate[], usedBy: (nodePool: string) => Resources) {
    for (const { nodePool } of templates) {
      const { name } = nodePool.metadata;
      if (Object.keys(nodePool.spec.limits ?? {}).length === 0) continue;
      this.#remaining.set(name, { ...resourcesOf(nodePool.spec.limits) });
      this.#subtract(name, usedBy(name));
    }
  }

  /** Every limit of a pool with its usage, planned nodes included; sorted by resource. */
  usage({ nodePool }: NodeTemplate): readonly LimitUsage[] {
    const remaining = this.#remaining.get(nodePool.metadata.name) ?? {};
    return Object.entries(resourcesOf(nodePool.spec.limits))
      .toSorted(byTextOf(([name]) => name))
      .map(([resource, limit]) => ({ resource, limit, used: limit - (readOwn(remaining, resource) ?? 0) }));
  }

  /** The types whose capacity the limits still admit, or the resource that admits none. */
  admitted({ nodePool, table }: NodeTemplate): BitSet | { readonly exceeded: string } {
    const remaining = this.#remaining.get(nodePool.metadata.name) ?? {};
    const admitted = table.all.slice();
    for (const [name, left] of Object.entries(remaining)) {
      if (name === 'nodes' ? left <= 0 : left < 0) return { exceeded: name };
      table.keepSmaller(name, left, admitted);
      if (isEmptySet(admitted) && table.options.length > 0) return { exceeded: name };
    }
    return admitted;
  }

  /**
   * Subtracts a new node: the largest amount of every resource among its types.
   * @param types reads the types it may be launched as; called only for pools with limits
   */
  spend({ nodePool, table }: NodeTemplate, types: () => BitSet): void {
    const { name } = nodePool.metadata;
    const remaining = this.#remaining.get(name);
    if (remaining === undefined) return;
    const left = types();
    for (const resource in remaining) {
      const most = resource === 'nodes' ? 1 : table.largestCapacity(resource, left);
      writeOwn(remaining, resource, (readOwn(remaining, resource) ?? 0) - most);
    }
  }

  #subtract(pool: string, spent: Resources): void {
    const remaining = this.#remaining.get(pool);
    if (remaining === undefined) return;
    for (const name of Object.keys(remaining))
      writeOwn(remaining, name, (readOwn(remaining, name) ?? 0) - (readOwn(spent, name) ?? 0));
  }
}

import type { NodePool } from '@nodewright/apis';
import { isMarkedForDeletion, nodeCapacityOf, nodePoolNameOf } from '../cluster/node-state.ts';
import type { NodeState } from '../cluster/node-state.ts';
import type { Resources } from './instance-type.ts';
import type { NodeTemplate, TypeOption } from './node-template.ts';
import { addResources, noResources, resourcesOf } from './resources.ts';

/** The first resource of which the nodes of a pool already have more than `spec.limits` allows; `undefined` when none. */
export function exceededLimit(nodePool: NodePool, nodes: readonly NodeState[]): string | undefined {
  const used = nodes
    .filter((state) => nodePoolNameOf(state) === nodePool.metadata.name && !isMarkedForDeletion(state))
    .map(nodeCapacityOf)
    .reduce(addResources, noResources);
  const limits = Object.entries(resourcesOf(nodePool.spec.limits)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return limits.find(([name, limit]) => (used[name] ?? 0) > limit)?.[0];
}

/** What is left of each limited resource of each pool, while nodes are being added. */
export class PoolLimits {
  readonly #remaining = new Map<string, Record<string, number>>();

  /** @param nodes all that stay; those of a pool count against it */
  constructor(templates: readonly NodeTemplate[], nodes: readonly NodeState[]) {
    for (const { nodePool } of templates) {
      this.#remaining.set(nodePool.metadata.name, { ...resourcesOf(nodePool.spec.limits) });
    }
    for (const node of nodes) this.#subtract(nodePoolNameOf(node) ?? '', nodeCapacityOf(node));
  }

  /** The options whose capacity the limits still admit, or the resource that admits none. */
  admitted(template: NodeTemplate): readonly TypeOption[] | { readonly exceeded: string } {
    const remaining = Object.entries(this.#remaining.get(template.nodePool.metadata.name) ?? {});
    const overdrawn = remaining.find(([name, left]) => (name === 'nodes' ? left <= 0 : left < 0));
    if (overdrawn !== undefined) return { exceeded: overdrawn[0] };
    if (remaining.length === 0) return template.options;
    const exceeds = ({ type }: TypeOption) => remaining.find(([name, left]) => (type.capacity[name] ?? 0) > left);
    const admitted = template.options.filter((option) => exceeds(option) === undefined);
    const [first] = template.options;
    return admitted.length > 0 || first === undefined ? admitted : { exceeded: exceeds(first)?.[0] ?? '' };
  }

  /** Takes a new node off: the most it could come to have of every resource. */
  spend(template: NodeTemplate, options: readonly TypeOption[]): void {
    const limited = Object.keys(this.#remaining.get(template.nodePool.metadata.name) ?? {});
    const most = limited.map(
      (name) => [name, Math.max(0, ...options.map(({ type }) => type.capacity[name] ?? 0))] as const,
    );
    this.#subtract(template.nodePool.metadata.name, { ...Object.fromEntries(most), nodes: 1 });
  }

  #subtract(pool: string, spent: Resources): void {
    const remaining = this.#remaining.get(pool);
    if (remaining === undefined) return;
    for (const name of Object.keys(remaining)) remaining[name] = (remaining[name] ?? 0) - (spent[name] ?? 0);
  }
}

import { instant, type Instant } from '@nodewright/apis';
import { nextBudgetChange } from './budgets/budgets.ts';
import type { BlockedNode } from './method.ts';
import type { DisruptionSnapshot } from './snapshot.ts';

/**
 * When a budget that holds one of the nodes opens or closes, the protection of a pod or a pause ends, or pods are no
 * longer awaited.
 */
export function nextDisruptionChange(
  blocked: readonly BlockedNode[],
  { supplies, staticSupplies = [] }: DisruptionSnapshot,
  now: Instant,
): Instant | undefined {
  const ends = blocked.flatMap(({ blocker }) =>
    blocker.kind === 'protectedPod' || blocker.kind === 'paused' ? (blocker.until ?? []) : [],
  );
  const fading = blocked.flatMap(({ node, blocker }) =>
    blocker.kind === 'nominated' ? (node.nominatedUntil ?? []) : [],
  );
  const closed = new Set(blocked.flatMap(({ blocker }) => (blocker.kind === 'budget' ? blocker.nodePool : [])));
  const openings = [...supplies, ...staticSupplies]
    .filter(({ nodePool }) => closed.has(nodePool.metadata.name))
    .flatMap(({ nodePool }) => nextBudgetChange(nodePool.spec.disruption?.budgets, now) ?? []);
  const changes = [...ends, ...fading, ...openings];
  return changes.length === 0 ? undefined : instant(Math.min(...changes));
}

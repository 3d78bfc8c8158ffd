import { instant, type Instant } from '@nodewright/apis';
import { nextBudgetChange } from './budgets/budgets.ts';
import type { BlockedNode } from './method.ts';
import type { DisruptionSnapshot } from './snapshot.ts';

/** When a budget that holds one of the nodes opens or closes, or the protection of a pod or a pause ends. */
export function nextDisruptionChange(
  blocked: readonly BlockedNode[],
  { supplies, staticSupplies = [] }: DisruptionSnapshot,
  now: Instant,
): Instant | undefined {
  const ends = blocked.flatMap(({ blocker }) =>
    blocker.kind === 'protectedPod' || blocker.kind === 'paused' ? (blocker.until ?? []) : [],
  );
  const closed = new Set(blocked.flatMap(({ blocker }) => (blocker.kind === 'budget' ? blocker.nodePool : [])));
  const openings = [...supplies, ...staticSupplies]
    .filter(({ nodePool }) => closed.has(nodePool.metadata.name))
    .flatMap(({ nodePool }) => nextBudgetChange(nodePool.spec.disruption?.budgets, now) ?? []);
  const changes = [...ends, ...openings];
  return changes.length === 0 ? undefined : instant(Math.min(...changes));
}

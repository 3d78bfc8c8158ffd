import { byText } from '@nodewright/apis';
import type { SchedulerNode } from '../cluster.ts';

/** Why a node cannot take the pod, in kube-scheduler's words; nothing when it can. */
export type SchedulerFilter = (state: SchedulerNode) => readonly string[];

export const noRefusal: readonly string[] = [];

/** What the first filter that refuses the node says; nothing when all pass it. */
export function firstRefusal(state: SchedulerNode, filters: readonly SchedulerFilter[]): readonly string[] {
  for (const filter of filters) {
    const reasons = filter(state);
    if (reasons.length > 0) return reasons;
  }
  return [];
}

/** Why none of the nodes can take a pod, in kube-scheduler's words. */
export function explainRefusals(refusals: ReadonlyMap<string, number>, total: number): string {
  if (total === 0) return 'no nodes available to schedule pods';
  const counted = [...refusals].map(([reason, count]) => `${count} ${reason}`).toSorted(byText);
  return `0/${total} nodes are available: ${counted.join(', ')}.`;
}

import type { NodeRolloutStatus } from '@nodewright/apis';

type RolloutCounts = Pick<NodeRolloutStatus, 'updated' | 'ready' | 'total' | 'failed' | 'remaining' | 'endedAt'> & {
  /** Present where it has halted. */
  readonly halted?: unknown;
};

/** `1 of 12 updated, 0 failed, 11 to go`. After a halt or an end no node goes any more: the others stay on what they run. */
export function countWords({ updated = 0, total = 0, failed = 0, remaining = 0, ...rollout }: RolloutCounts): string {
  const { ready = updated, halted, endedAt } = rollout;
  const updatedWords = `${updated} of ${total} updated${ready < updated ? ` (${ready} Ready)` : ''}`;
  const isStopped = halted !== undefined || endedAt !== undefined;
  return `${updatedWords}, ${failed} failed, ${remaining} ${isStopped && remaining > 0 ? 'not moved' : 'to go'}`;
}

import { printCount, type UpdateTurn } from './progress.ts';
import { addMilliseconds, keepPhase, type UpdateAction, type UpdatePlan } from './update-plan.ts';
import type { UpdateRecord } from './update-record.ts';

const isGoing = ({ lifecycle }: { readonly lifecycle: string }): boolean => lifecycle.includes('Terminat');

const isStale = ({ seen }: UpdateTurn, { configuration }: { readonly configuration: string }): boolean =>
  seen.group.configuration !== '' && configuration !== seen.group.configuration;

/**
 * Instances that wait beside the group come into service with whatever they were launched from, so those of
 * another configuration than the group has now are ended before it grows. They hold no pods, and the pool
 * launches others in their place.
 * @returns nothing when none is left
 */
export function freshenPool(record: UpdateRecord, turn: UpdateTurn): UpdatePlan | undefined {
  const { seen, now, limits } = turn;
  const stale = (seen.group.warm ?? []).filter((instance) => isStale(turn, instance));
  if (stale.length === 0) return undefined;
  const actions = stale
    .filter((instance) => !isGoing(instance))
    .map(({ id }): UpdateAction => ({ kind: 'discard', instanceId: id }));
  const reason = `ends ${printCount(stale.length, 'warm instance')} of another configuration`;
  return keepPhase(record, { actions, reason, recheckAt: addMilliseconds(now, limits.pollMs) });
}

import { readOwn, writeOwn, earliest } from '@nodewright/apis';
import { drainStep } from './drain.ts';
import { printCount, newInstances, type UpdateTurn } from './progress.ts';
import { pointBack, releaseOld } from './restore.ts';
import { addMilliseconds, moveOn, keepPhase, type UpdateAction, type UpdatePlan } from './update-plan.ts';
import { type Drain, enterPhase, type UpdateRecord } from './update-record.ts';

/** After a failure, the way back: new nodes are drained in their turn, and the old version is launched again. */
export function planReversal(record: UpdateRecord, turn: UpdateTurn): UpdatePlan {
  const { seen, now, limits } = turn;
  const first = [...pointBack(record, turn), ...releaseOld(record, turn)];
  if (first.length > 0) return keepPhase(record, { actions: first, reason: 'turns the update around', recheckAt: now });
  const fresh = newInstances(record, seen);
  if (fresh.length === 0) return moveOn(enterPhase(record, 'restore', now), 'no new node is left');
  const underWay = fresh.filter(({ id }) => readOwn(record.drains, id) !== undefined);
  const waiting = fresh.filter(({ id }) => readOwn(record.drains, id) === undefined);
  const chosen = [...underWay, ...waiting].slice(0, Math.max(record.parallel, underWay.length));
  const drains: Record<string, Drain> = {};
  const actions: UpdateAction[] = [];
  const surplus = seen.group.desired - record.before.desired;
  const steps = chosen.map((instance, at) => {
    const options = { atLimit: 'leave', decrement: at < surplus } as const;
    const step = drainStep(instance, readOwn(record.drains, instance.id) ?? { since: now }, turn, options);
    writeOwn(drains, instance.id, step.drain);
    actions.push(...step.actions);
    return step;
  });
  return keepPhase(
    { ...record, drains },
    {
      actions,
      reason: `drains ${printCount(steps.length, 'new node')} to turn the update around`,
      held: steps.flatMap(({ held }) => held),
      recheckAt: earliest(addMilliseconds(now, limits.pollMs), ...steps.map(({ next }) => next)),
    },
  );
}

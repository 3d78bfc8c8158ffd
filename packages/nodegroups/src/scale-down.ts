import { earliest } from '@nodewright/apis';
import { shrinkGently } from './gentle-shrink.ts';
import { isInstanceLeaving } from './observation.ts';
import type { UpdateTurn } from './progress.ts';
import { addMilliseconds, moveOn, keepPhase, type UpdatePlan } from './update-plan.ts';
import { enterPhase, type UpdateRecord } from './update-record.ts';
import { freshenPool } from './warm-pool.ts';

/** Back to the sizes from before, one instance at a time, unless the group is raised from outside meanwhile. */
export function scaleDown(record: UpdateRecord, turn: UpdateTurn): UpdatePlan {
  if (record.terminations === 'shrink') {
    return shrinkGently(record, turn) ?? finishScaleDown(record, turn, 'every node is on the target');
  }
  const { seen, now, limits } = turn;
  const { group } = seen;
  const written = record.step ?? {
    max: record.before.max + record.surge,
    desired: record.before.desired + record.surge,
  };
  if (group.max <= written.max && group.desired > written.desired) {
    return finishScaleDown(record, turn, `the group was raised to ${group.desired} meanwhile, and stays there`);
  }
  const isBack = group.desired <= record.before.desired && group.max <= record.before.max;
  if (isBack) return finishScaleDown(record, turn, 'the group has its size from before');
  const due = record.step === undefined ? now : addMilliseconds(record.step.at, limits.scaleDownStepMs);
  const isWaiting = now < due || group.instances.some(isInstanceLeaving);
  const poll = addMilliseconds(now, limits.pollMs);
  const left = Math.max(0, group.desired - record.before.desired);
  const reason = left === 0 ? 'gives the group its maximum back' : `lowers the group, ${left} more to go`;
  if (isWaiting) return keepPhase(record, { reason, recheckAt: now < due ? earliest(due, poll) : poll });
  const desired = Math.max(record.before.desired, group.desired - 1);
  const max = left === 0 ? record.before.max : Math.max(record.before.max, group.max - 1);
  const step = { max, desired, at: now };
  return keepPhase({ ...record, step }, { actions: [{ kind: 'setSize', max, desired }], reason, recheckAt: now });
}

function finishScaleDown(record: UpdateRecord, turn: UpdateTurn, reason: string): UpdatePlan {
  const { seen, now } = turn;
  const freshening = freshenPool(record, turn);
  if (freshening !== undefined) return freshening;
  const held = record.suspend.filter((process) => seen.group.suspended.includes(process));
  if (held.length > 0) {
    const actions = [{ kind: 'resume', processes: held }] as const;
    return keepPhase(record, { actions, reason: `resumes ${held.join(' and ')}`, recheckAt: now });
  }
  return moveOn(enterPhase(record, 'successful', now), reason);
}

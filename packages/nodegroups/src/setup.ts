import { readOwn } from '@nodewright/apis';
import { countSurgeInstances } from './arithmetic.ts';
import { oldInstances, type UpdateTurn } from './progress.ts';
import { enterPhase, type UpdateRecord } from './update-record.ts';
import { moveOn, keepPhase, type UpdatePlan } from './update-plan.ts';
import { freshenPool } from './warm-pool.ts';

/** A template version of the target, the group pointed at it, and the processes that would interfere held. */
export function setUp(record: UpdateRecord, turn: UpdateTurn): UpdatePlan {
  const { seen, now } = turn;
  const { configuration } = record.target;
  const version = readOwn(seen.group.versions, configuration);
  const running = record.suspend.filter((process) => !seen.group.suspended.includes(process));
  if (running.length > 0) {
    const actions = [{ kind: 'suspend', processes: running }] as const;
    return keepPhase(record, { actions, reason: `suspends ${running.join(' and ')}`, recheckAt: now });
  }
  if (seen.group.configuration === configuration) return leaveSetup(record, turn);
  if (version === undefined) {
    const actions = [{ kind: 'createVersion', configuration }] as const;
    return keepPhase(record, {
      actions,
      reason: `makes a launch template version of ${configuration}`,
      recheckAt: now,
    });
  }
  const actions = [{ kind: 'pointGroup', configuration, version }] as const;
  return keepPhase(record, {
    actions,
    reason: `points the group at launch template version ${version}`,
    recheckAt: now,
  });
}

function leaveSetup(record: UpdateRecord, turn: UpdateTurn): UpdatePlan {
  const { seen, now } = turn;
  const freshening = freshenPool(record, turn);
  if (freshening !== undefined) return freshening;
  const old = oldInstances(record, seen).length;
  if (old === 0) return moveOn(enterPhase(record, 'scaleDown', now), 'no node has to be replaced');
  if (record.strategy === 'MINIMAL') return moveOn(enterPhase(record, 'upgrade', now), 'replaces nodes in place');
  const surge = countSurgeInstances({ zones: seen.group.zones.length, parallel: record.parallel });
  return moveOn({ ...enterPhase(record, 'scaleUp', now), surge }, `grows by ${surge}`);
}

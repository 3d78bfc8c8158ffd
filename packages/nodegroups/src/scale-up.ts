import { earliest } from '@nodewright/apis';
import { joinedInstances, notJoined, oldInstances, type UpdateTurn } from './progress.ts';
import { addMilliseconds, moveOn, keepPhase, type UpdatePlan } from './update-plan.ts';
import { enterPhase, failUpdate, type UpdateRecord } from './update-record.ts';

/** Room for the new nodes first: all of them must have joined, in every zone that has old ones. */
export function scaleUp(record: UpdateRecord, { seen, now, limits }: UpdateTurn): UpdatePlan {
  const wanted = { max: record.before.max + record.surge, desired: record.before.desired + record.surge };
  const due = addMilliseconds(record.since, limits.joinMs);
  if (seen.group.max < wanted.max || seen.group.desired < wanted.desired) {
    const actions = [{ kind: 'setSize', ...wanted }] as const;
    return keepPhase(record, { actions, reason: `raises the group to ${wanted.desired} instances`, recheckAt: now });
  }
  const joined = joinedInstances(record, seen);
  const old = oldInstances(record, seen);
  const missing = wanted.desired - old.length - joined.length;
  const joinedZones = new Set(joined.map(({ zone }) => zone));
  const emptyZones = [...new Set(old.map(({ zone }) => zone))].filter((zone) => !joinedZones.has(zone)).toSorted();
  if (missing <= 0 && emptyZones.length === 0) {
    return moveOn(enterPhase(record, 'upgrade', now), `${joined.length} new nodes have joined`);
  }
  if (now >= due) return moveOn(failUpdate(record, notJoined(record, seen), now), 'new nodes did not join in time');
  const where = emptyZones.length === 0 ? '' : `, none yet in ${emptyZones.join(', ')}`;
  const reason = `waits for ${Math.max(missing, emptyZones.length)} new nodes${where}`;
  return keepPhase(record, { reason, recheckAt: earliest(due, addMilliseconds(now, limits.pollMs)) });
}

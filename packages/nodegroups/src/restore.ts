import { readOwn, byText } from '@nodewright/apis';
import { shrinkGently } from './gentle-shrink.ts';
import { isInstanceLeaving, liveInstances, findSeenNode, type SeenInstance } from './observation.ts';
import { hasJoined, newInstances, oldInstances, type UpdateTurn } from './progress.ts';
import { addMilliseconds, moveOn, keepPhase, type UpdateAction, type UpdatePlan } from './update-plan.ts';
import { enterPhase, type UpdateRecord } from './update-record.ts';
import { freshenPool } from './warm-pool.ts';

/** After a failure: old nodes take pods again, and the group gets its size back at the expense of new ones. */
export function planRestore(record: UpdateRecord, turn: UpdateTurn): UpdatePlan {
  const { now } = turn;
  const pointer = record.failedIn === 'upgrade' ? [] : pointBack(record, turn);
  const first = [...pointer, ...releaseOld(record, turn)];
  if (first.length > 0) {
    return keepPhase(record, { actions: first, reason: 'lets old nodes take pods again', recheckAt: now });
  }
  const smaller = record.terminations === 'shrink' ? shrinkGently : shrinkToDesired;
  return smaller(record, turn) ?? finishRestore(record, turn);
}

/** No new node was proven good, so the group launches from the old version again. */
export function pointBack({ before }: UpdateRecord, { seen }: UpdateTurn): readonly UpdateAction[] {
  const version = readOwn(seen.group.versions, before.configuration);
  if (version === undefined || seen.group.configuration === before.configuration) return [];
  return [{ kind: 'pointGroup', configuration: before.configuration, version }];
}

export function releaseOld(record: UpdateRecord, { seen }: UpdateTurn): readonly UpdateAction[] {
  return oldInstances(record, seen).flatMap((instance): readonly UpdateAction[] => {
    const node = findSeenNode(seen, instance);
    if (node === undefined) return [];
    const undo: readonly UpdateAction[] = node.marked ? [{ kind: 'unmark', node: node.name }] : [];
    return node.unschedulable ? [...undo, { kind: 'uncordon', node: node.name }] : undo;
  });
}

/** One step towards the size from before; nothing when it is reached. */
function shrinkToDesired(record: UpdateRecord, turn: UpdateTurn): UpdatePlan | undefined {
  const { seen, now, limits } = turn;
  const { desired, max, instances } = seen.group;
  const surplus = desired - record.before.desired;
  const live = liveInstances(seen);
  if (surplus <= 0) return max > record.before.max ? resizeToward(record, record.before.desired, turn) : undefined;
  if (live.length < desired) return resizeToward(record, Math.max(live.length, record.before.desired), turn);
  const [victim] = newInstances(record, seen).toSorted(leastUsefulFirst(record, turn));
  if (victim === undefined) return resizeToward(record, record.before.desired, turn);
  const due = record.step === undefined ? now : addMilliseconds(record.step.at, limits.scaleDownStepMs);
  const reason = `ends new nodes beyond the size from before, ${surplus} more to go`;
  if (now < due || instances.some(isInstanceLeaving))
    return keepPhase(record, { reason, recheckAt: addMilliseconds(now, limits.pollMs) });
  const step = { max: max - 1, desired: desired - 1, at: now };
  const actions = [{ kind: 'terminate', instanceId: victim.id, decrement: true }] as const;
  return keepPhase({ ...record, step }, { actions, reason, recheckAt: addMilliseconds(now, limits.pollMs) });
}

function resizeToward(record: UpdateRecord, desired: number, { now, seen }: UpdateTurn): UpdatePlan {
  const wanted = Math.min(desired, seen.group.desired);
  const max = record.before.max + Math.max(0, wanted - record.before.desired);
  const actions = [{ kind: 'setSize', max, desired: wanted }] as const;
  return keepPhase(record, { actions, reason: `lowers the group to ${wanted} instances`, recheckAt: now });
}

/** From the fullest zone, or the group would balance its zones at the expense of old nodes; those that did not join first. */
const leastUsefulFirst = (record: UpdateRecord, { seen }: UpdateTurn) => {
  const live = liveInstances(seen);
  const inZone = (zone: string): number => live.filter((instance) => instance.zone === zone).length;
  return (a: SeenInstance, b: SeenInstance): number =>
    inZone(b.zone) - inZone(a.zone) ||
    Number(hasJoined(record, seen, a)) - Number(hasJoined(record, seen, b)) ||
    b.launchedAt - a.launchedAt ||
    byText(a.id, b.id);
};

function finishRestore(record: UpdateRecord, turn: UpdateTurn): UpdatePlan {
  const { seen, now } = turn;
  const freshening = freshenPool(record, turn);
  if (freshening !== undefined) return freshening;
  const held = record.suspend.filter((process) => seen.group.suspended.includes(process));
  if (held.length > 0) {
    const actions = [{ kind: 'resume', processes: held }] as const;
    return keepPhase(record, { actions, reason: `resumes ${held.join(' and ')}`, recheckAt: now });
  }
  return moveOn(enterPhase(record, 'failed', now), record.failure?.message ?? 'the update failed');
}

import { readOwn, writeOwn, earliest } from '@nodewright/apis';
import { drainStep, type DrainOptions } from './drain.ts';
import { isInstanceLeaving, findSeenNode, type SeenInstance } from './observation.ts';
import { printCount, joinedInstances, notJoined, oldInstances, type UpdateTurn } from './progress.ts';
import { addMilliseconds, moveOn, keepPhase, type UpdateAction, type UpdatePlan } from './update-plan.ts';
import { type Drain, enterPhase, failUpdate, type UpdateRecord } from './update-record.ts';

/** Old nodes are set apart, then leave: chosen at random, as many at a time as the parallelism says. */
export function planUpgrade(before: UpdateRecord, turn: UpdateTurn): UpdatePlan {
  const { seen, now, limits } = turn;
  const old = oldInstances(before, seen);
  const record = before.strategy === 'MINIMAL' ? watchJoining(before, old.length, turn) : before;
  const missing = record.before.desired - old.length - joinedInstances(record, seen).length;
  if (record.strategy === 'MINIMAL' && missing > 0 && now >= addMilliseconds(record.joined?.at ?? now, limits.joinMs)) {
    return moveOn(failUpdate(record, notJoined(record, seen), now), 'a replacement did not join in time');
  }
  if (old.length === 0) return finishUpgrade(record, missing, turn);
  const marks = marksFor(old, turn);
  if (marks.length > 0) {
    const reason = `sets ${printCount(marks.length, 'old node')} apart`;
    return keepPhase(record, { actions: marks, reason, recheckAt: now });
  }
  const begins = record.strategy === 'DEFAULT' ? addMilliseconds(record.since, limits.quietMs) : now;
  if (now < begins)
    return keepPhase(record, { reason: 'lets new nodes settle before the first eviction', recheckAt: begins });
  return advanceUpgrade(record, old, { ...turn, missing });
}

/** Remembers when the last new node joined: a replacement that never comes is noticed by that. */
function watchJoining(record: UpdateRecord, old: number, { seen, now, limits }: UpdateTurn): UpdateRecord {
  const count = joinedInstances(record, seen).length;
  const { joined } = record;
  const isComplete = old + count >= record.before.desired;
  const isRecent = joined?.count === count && now < addMilliseconds(joined.at, limits.pollMs);
  if (isRecent || (joined?.count === count && !isComplete)) return record;
  return { ...record, joined: { count, at: now } };
}

function finishUpgrade(record: UpdateRecord, missing: number, { seen, now, limits }: UpdateTurn): UpdatePlan {
  const going = seen.group.instances.filter(
    (instance) => isInstanceLeaving(instance) && instance.configuration !== record.target.configuration,
  );
  const waits = going.length > 0 || (record.strategy === 'MINIMAL' && missing > 0);
  if (!waits) return moveOn(enterPhase(record, 'scaleDown', now), 'every node is on the target');
  const reason =
    going.length > 0 ? 'waits for the last old instance to go' : `waits for ${printCount(missing, 'replacement')}`;
  return keepPhase(record, { reason, recheckAt: addMilliseconds(now, limits.pollMs) });
}

function marksFor(old: readonly SeenInstance[], { seen }: UpdateTurn): readonly UpdateAction[] {
  return old.flatMap((instance) => {
    const node = findSeenNode(seen, instance);
    return node === undefined || node.marked ? [] : [{ kind: 'mark', node: node.name } as const];
  });
}

function advanceUpgrade(
  record: UpdateRecord,
  old: readonly SeenInstance[],
  turn: UpdateTurn & { missing: number },
): UpdatePlan {
  const { now, limits } = turn;
  const underWay = old.filter(({ id }) => readOwn(record.drains, id) !== undefined);
  const waiting = old.filter(({ id }) => readOwn(record.drains, id) === undefined);
  const inUse = underWay.length + (record.strategy === 'MINIMAL' ? Math.max(0, turn.missing) : 0);
  const chosen = pickAtRandom(waiting, record.parallel - inUse, turn);
  const drains: Record<string, Drain> = {};
  const actions: UpdateAction[] = [];
  const steps = [...underWay, ...chosen].map((instance, at) => {
    const step = drainStep(
      instance,
      readOwn(record.drains, instance.id) ?? { since: now },
      turn,
      drainOptionsAt(record, at, turn),
    );
    writeOwn(drains, instance.id, step.drain);
    actions.push(...step.actions);
    return { ...step, instance };
  });
  const stuck = steps.find((step) => step.stuck !== undefined);
  if (stuck !== undefined) {
    const node = findSeenNode(turn.seen, stuck.instance)?.name ?? stuck.instance.id;
    const failure = {
      code: 'PodEvictionFailure',
      message: 'pods were still on the node when its time to drain was over',
      resourceIds: [node],
    } as const;
    return moveOn(failUpdate(record, failure, now), `pods on ${node} did not leave in time`);
  }
  return keepPhase(
    { ...record, drains },
    {
      actions,
      reason: `drains ${printCount(steps.length, 'node')}, ${printCount(waiting.length - chosen.length, 'old node')} to follow`,
      held: steps.flatMap(({ held }) => held),
      recheckAt: earliest(addMilliseconds(now, limits.pollMs), ...steps.map(({ next }) => next)),
    },
  );
}

/** Where the surplus is to shrink, the nodes that go first take it along. */
function drainOptionsAt(record: UpdateRecord, at: number, { seen }: UpdateTurn): DrainOptions {
  const surplus = seen.group.desired - record.before.desired;
  return { atLimit: record.force ? 'delete' : 'fail', decrement: record.terminations === 'shrink' && at < surplus };
}

function pickAtRandom(from: readonly SeenInstance[], count: number, { chance }: UpdateTurn): readonly SeenInstance[] {
  const left = [...from];
  const picked: SeenInstance[] = [];
  while (picked.length < count && left.length > 0) picked.push(...left.splice(chance.integer(left.length), 1));
  return picked;
}

import { byTextOf, inOrder, readOwn, byNumberOf, inReverse } from '@nodewright/apis';
import { drainNodes } from './node-drains.ts';
import { isInstanceLeaving, liveInstances, findSeenNode, type SeenInstance } from './observation.ts';
import { hasJoined, printCount, type UpdateTurn } from './progress.ts';
import { addMilliseconds, keepPhase, moveOn, type UpdateAction, type UpdatePlan } from './update-plan.ts';
import { enterPhase, failUpdate, type NodesRecord, type UpdateRecord } from './update-record.ts';

/**
 * Replaces some nodes of a plain Auto Scaling group, while the others keep what they run.
 *
 * Guarantees: the group launches from the target only while a replacement is still to be launched, and from the resting
 * configuration else, so that instances launched for other reasons get that one. A node that is not let go any more
 * takes pods again, and its replacement is drained and ended. The group gets its size back.
 *
 * Assumptions: the host stores the record before it acts. `turn.letGo` has every node that is to go on.
 */
export function planNodeReplacement(before: NodesRecord, turn: UpdateTurn): UpdatePlan {
  const record = withoutGivenUp(before, turn);
  const first = [...processesToSuspend(record, turn), ...nodesToRelease(record, turn)];
  if (first.length > 0) return keepPhase(record, { actions: first, reason: 'prepares the group', recheckAt: turn.now });
  switch (record.phase) {
    case 'setup':
      return moveOn(
        { ...enterPhase(record, firstPhase(record), turn.now), surge: record.nodes.ids.length },
        'the group is prepared',
      );
    case 'scaleUp':
      return launchReplacements(record, turn);
    case 'upgrade':
      return drainOldNodes(record, turn);
    default:
      return tidyGroup(record, turn);
  }
}

const firstPhase = ({ nodes, strategy }: NodesRecord): 'scaleDown' | 'scaleUp' | 'upgrade' =>
  nodes.ids.length === 0 ? 'scaleDown' : strategy === 'MINIMAL' ? 'upgrade' : 'scaleUp';

/** Nodes that are gone stay in the list: their replacements are needed. After a failure no other node goes. */
function withoutGivenUp(record: NodesRecord, { seen, letGo }: UpdateTurn): NodesRecord {
  const live = new Set(liveInstances(seen).map(({ id }) => id));
  const isFailed = record.failure !== undefined;
  const ids = record.nodes.ids.filter((id) => !live.has(id) || (!isFailed && letGo?.has(id) !== false));
  if (ids.length === record.nodes.ids.length) return record;
  const kept = Object.entries(record.drains).filter(([id]) => !record.nodes.ids.includes(id) || ids.includes(id));
  return { ...record, nodes: { ...record.nodes, ids }, drains: Object.fromEntries(kept) };
}

/** At the end the processes run again, but for those that the host keeps, so they are suspended only while something is under way. */
function processesToSuspend(record: NodesRecord, { seen }: UpdateTurn): readonly UpdateAction[] {
  const running = record.suspend.filter((process) => !seen.group.suspended.includes(process));
  const isUnderWay = record.phase === 'setup' && record.nodes.ids.length > 0;
  return isUnderWay && running.length > 0 ? [{ kind: 'suspend', processes: running }] : [];
}

/** The mark is taken off last: as long as it is there, the node is known to be one of ours. */
function nodesToRelease(record: NodesRecord, turn: UpdateTurn): readonly UpdateAction[] {
  const going = new Set([...record.nodes.ids, ...Object.keys(record.drains)]);
  const fresh = new Set(freshInstances(record, turn).map(({ id }) => id));
  return liveInstances(turn.seen)
    .filter(({ id }) => !going.has(id) && !fresh.has(id))
    .flatMap((instance) => releaseMarkedNode(instance, turn));
}

function releaseMarkedNode(instance: SeenInstance, { seen }: UpdateTurn): readonly UpdateAction[] {
  const node = findSeenNode(seen, instance);
  if (node?.marked !== true) return [];
  const undo = { kind: 'unmark', node: node.name } as const;
  return node.unschedulable ? [{ kind: 'uncordon', node: node.name }, undo] : [undo];
}

/** Instances that were launched for the update. */
const freshInstances = ({ nodes, target }: NodesRecord, { seen }: Pick<UpdateTurn, 'seen'>): readonly SeenInstance[] =>
  liveInstances(seen).filter(
    ({ id, configuration }) =>
      nodes.made?.includes(id) ??
      (configuration === target.configuration && !nodes.known.includes(id) && !nodes.ids.includes(id)),
  );

function launchReplacements(record: NodesRecord, turn: UpdateTurn): UpdatePlan {
  const { seen, now, limits } = turn;
  const needed = record.nodes.ids.length;
  if (needed === 0) return moveOn(enterPhase(record, 'scaleDown', now), 'no node is to be replaced any more');
  const fresh = freshInstances(record, turn);
  const isLaunched = fresh.length >= needed;
  const limit = addMilliseconds(record.since, isLaunched ? limits.watchedJoinMs : limits.joinMs);
  if (fresh.filter((instance) => hasJoined(record, seen, instance)).length >= needed && isResting(record, turn))
    return moveOn(leaveLaunches(record, fresh, turn), `${printCount(needed, 'new node')} joined`);
  if (now >= limit) return moveOn(failUpdate(record, notLaunched(fresh), now), 'new nodes did not join in time');
  const actions = isLaunched
    ? pointGroupAt(record.nodes.rest, turn)
    : firstOf(pointGroupAt(record.target.configuration, turn), raise(record, turn));
  return keepPhase(record, {
    actions,
    reason: `waits for ${printCount(needed, 'new node')}`,
    recheckAt: actions.length > 0 ? now : addMilliseconds(now, limits.pollMs),
  });
}

const firstOf = (...steps: readonly (readonly UpdateAction[])[]): readonly UpdateAction[] =>
  steps.find((actions) => actions.length > 0) ?? [];

/** What others have added to the group meanwhile stays. */
function leaveLaunches(record: NodesRecord, fresh: readonly SeenInstance[], { seen, now }: UpdateTurn): UpdateRecord {
  const made = fresh
    .toSorted(
      inOrder<SeenInstance>(
        byNumberOf(({ launchedAt }) => launchedAt),
        byTextOf(({ id }) => id),
      ),
    )
    .slice(0, record.surge)
    .map(({ id }) => id);
  const launched = { ...record, nodes: { ...record.nodes, made } };
  if (record.strategy === 'MINIMAL') return enterPhase(launched, 'scaleDown', now);
  const desired = Math.max(record.before.desired, seen.group.desired - made.length);
  const max = Math.max(record.before.max, desired);
  return enterPhase({ ...launched, before: { ...record.before, desired, max } }, 'upgrade', now);
}

const isResting = ({ nodes }: NodesRecord, { seen }: UpdateTurn): boolean => seen.group.configuration === nodes.rest;

const notLaunched = (fresh: readonly SeenInstance[]) => ({
  code: 'NodeCreationFailure' as const,
  message: 'Instances failed to join the kubernetes cluster within the time limit',
  resourceIds: fresh.map(({ id }) => id),
});

/** A launch template version with the image, and the group pointed at it. */
function pointGroupAt(configuration: string, { seen }: UpdateTurn): readonly UpdateAction[] {
  if (seen.group.configuration === configuration) return [];
  const version = readOwn(seen.group.versions, configuration);
  return version === undefined
    ? [{ kind: 'createVersion', configuration }]
    : [{ kind: 'pointGroup', configuration, version }];
}

/** Room for the new nodes, which come before the old ones go. */
function raise(record: NodesRecord, { seen }: UpdateTurn): readonly UpdateAction[] {
  if (record.strategy === 'MINIMAL') return [];
  const desired = record.before.desired + record.nodes.ids.length;
  const { group } = seen;
  return group.desired >= desired ? [] : [{ kind: 'setSize', max: Math.max(group.max, desired), desired }];
}

function drainOldNodes(record: NodesRecord, turn: UpdateTurn): UpdatePlan {
  const { seen, now, limits, letGo } = turn;
  const old = liveInstances(seen).filter(({ id }) => record.nodes.ids.includes(id));
  if (old.length === 0) return leaveDrains(record, turn);
  const atLimit = record.force ? 'delete' : letGo === undefined ? 'fail' : 'wait';
  const surplus = record.strategy === 'MINIMAL' ? 0 : seen.group.desired - record.before.desired;
  const step = drainNodes(record, old, turn, { atLimit, surplus });
  if (step.stuck !== undefined) return moveOn(failUpdate(record, step.stuck, now), step.stuck.message);
  const isEnding = step.actions.some(({ kind }) => kind === 'terminate');
  const pointing =
    record.strategy === 'MINIMAL' && isEnding ? pointGroupAt(record.target.configuration, turn) : ([] as const);
  if (pointing.length > 0)
    return keepPhase(record, { actions: pointing, reason: 'prepares the launch of replacements', recheckAt: now });
  return keepPhase(
    { ...record, drains: step.drains },
    {
      actions: step.actions,
      reason: `drains ${printCount(old.length, 'node')}`,
      held: step.held,
      recheckAt: step.next ?? addMilliseconds(now, limits.pollMs),
    },
  );
}

function leaveDrains(record: NodesRecord, { seen, now, limits }: UpdateTurn): UpdatePlan {
  const isGoing = seen.group.instances.some(
    (instance) => isInstanceLeaving(instance) && record.nodes.ids.includes(instance.id),
  );
  if (isGoing)
    return keepPhase(record, {
      reason: 'waits for the last old instance to go',
      recheckAt: addMilliseconds(now, limits.pollMs),
    });
  const next = record.strategy === 'MINIMAL' ? 'scaleUp' : 'scaleDown';
  return moveOn(enterPhase(record, next, now), 'the old nodes are gone');
}

/** New nodes whose old ones stay are ended, the group gets its size back, and launches from what it rests on. */
function tidyGroup(record: NodesRecord, turn: UpdateTurn): UpdatePlan {
  const { seen, now, limits } = turn;
  const resting = pointGroupAt(record.nodes.rest, turn);
  if (resting.length > 0)
    return keepPhase(record, { actions: resting, reason: 'points the group back', recheckAt: now });
  const surplus = seen.group.desired - record.before.desired;
  const fresh = freshInstances(record, turn);
  const spare = record.strategy === 'MINIMAL' ? 0 : Math.min(surplus, fresh.length - record.nodes.ids.length);
  const victims = leastNeededFirst(record, fresh, turn).slice(0, Math.max(0, spare));
  const spared = fresh
    .filter((instance) => !victims.includes(instance))
    .flatMap((each) => releaseMarkedNode(each, turn));
  if (spared.length > 0)
    return keepPhase(record, { actions: spared, reason: 'lets nodes take pods again', recheckAt: now });
  if (victims.length > 0) {
    const options = { atLimit: record.force ? 'delete' : 'wait', surplus: victims.length } as const;
    const step = drainNodes(record, victims, turn, options);
    return keepPhase(
      { ...record, drains: step.drains },
      {
        actions: step.actions,
        reason: `ends ${printCount(victims.length, 'new node')} whose old ones stay`,
        held: step.held,
        recheckAt: step.next ?? addMilliseconds(now, limits.pollMs),
      },
    );
  }
  return giveSizeBack(record, turn, surplus);
}

/** Those that are on their way out already, then those that never joined. */
const leastNeededFirst = (
  record: NodesRecord,
  fresh: readonly SeenInstance[],
  { seen }: UpdateTurn,
): readonly SeenInstance[] =>
  fresh.toSorted(
    inOrder<SeenInstance>(
      inReverse(byNumberOf((each) => Number(isDraining(record, each)))),
      byNumberOf((each) => Number(hasJoined(record, seen, each))),
      byTextOf(({ id }) => id),
    ),
  );

const isDraining = ({ drains }: NodesRecord, { id }: SeenInstance): boolean => readOwn(drains, id) !== undefined;

/** Instances that were asked for and never came are not asked for any more. */
function giveSizeBack(record: NodesRecord, { seen, now, keptSuspended = [] }: UpdateTurn, surplus: number): UpdatePlan {
  const { group } = seen;
  const live = liveInstances(seen).length;
  const missing = record.strategy === 'MINIMAL' ? 0 : Math.max(0, Math.min(surplus, group.desired - live));
  const desired = group.desired - missing;
  const max = Math.max(record.before.max, desired);
  if (desired < group.desired || max < group.max)
    return keepPhase(record, {
      actions: [{ kind: 'setSize', max, desired }],
      reason: 'gives the group its size back',
      recheckAt: now,
    });
  const held = record.suspend.filter(
    (process) => group.suspended.includes(process) && !keptSuspended.includes(process),
  );
  if (held.length > 0)
    return keepPhase(record, {
      actions: [{ kind: 'resume', processes: held }],
      reason: `resumes ${held.join(' and ')}`,
      recheckAt: now,
    });
  const isFailed = record.failure !== undefined;
  return moveOn(
    enterPhase(record, isFailed ? 'failed' : 'successful', now),
    record.failure?.message ?? 'the nodes are replaced',
  );
}

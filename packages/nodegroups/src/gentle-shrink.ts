import { readOwn, byNumberOf, byTextOf, inOrder, inReverse } from '@nodewright/apis';
import { drainStep } from './drain.ts';
import { isInstanceLeaving, liveInstances, findSeenNode, listPodsOnNode, type SeenInstance } from './observation.ts';
import { hasJoined, newInstances, type UpdateTurn } from './progress.ts';
import { addMilliseconds, keepPhase, type UpdateAction, type UpdatePlan } from './update-plan.ts';
import type { UpdateRecord } from './update-record.ts';

/**
 * A plain group gets its size back by nodes that are empty. EKS drains what an Auto Scaling group ends; here
 * the host has to do it: a node is chosen, drained as one that is replaced, and only then ended. Nothing is lost by
 * a node too many: a pod that may not leave is waited for, unless the update is forced.
 *
 * What is remembered follows from what is seen, so that a host that dies after every write gets on all the same.
 * @returns nothing when the group has its size from before, or a larger one that was set from outside
 */
export function shrinkGently(before: UpdateRecord, turn: UpdateTurn): UpdatePlan | undefined {
  const { seen, now } = turn;
  const { group } = seen;
  if (before.step !== undefined && group.desired > before.step.desired) return planAfterRelease(before, turn);
  const isLower = before.step === undefined || group.desired < before.step.desired;
  const step = { max: group.max, desired: group.desired, at: now };
  const record = isLower ? { ...before, step, drains: {} } : before;
  const surplus = group.desired - record.before.desired;
  if (surplus > 0) return shrinkByOne(record, turn, surplus);
  if (group.max <= record.before.max) return undefined;
  const size = { max: record.before.max, desired: group.desired };
  return keepPhase(record, {
    actions: [{ kind: 'setSize', ...size }],
    reason: 'gives the group its maximum back',
    recheckAt: now,
  });
}

function shrinkByOne(record: UpdateRecord, turn: UpdateTurn, surplus: number): UpdatePlan | undefined {
  const { seen, now, limits } = turn;
  const { desired, max, instances } = seen.group;
  const live = liveInstances(seen).length;
  if (live < desired) {
    const size = { max, desired: Math.max(live, record.before.desired) };
    return keepPhase(record, {
      actions: [{ kind: 'setSize', ...size }],
      reason: 'expects no more nodes',
      recheckAt: now,
    });
  }
  const victim = leastNeeded(record, turn);
  if (victim === undefined) return undefined;
  const due = record.step === undefined ? now : addMilliseconds(record.step.at, limits.scaleDownStepMs);
  if (now < due || instances.some(isInstanceLeaving)) {
    return keepPhase(record, {
      reason: `lowers the group, ${surplus} more to go`,
      recheckAt: addMilliseconds(now, limits.pollMs),
    });
  }
  return planAfterVictimEnded(record, turn, victim);
}

function planAfterVictimEnded(record: UpdateRecord, turn: UpdateTurn, victim: SeenInstance): UpdatePlan {
  const node = findSeenNode(turn.seen, victim);
  if (node === undefined) {
    const actions = [{ kind: 'terminate', instanceId: victim.id, decrement: true }] as const;
    return keepPhase(record, { actions, reason: `ends ${victim.id}, which never became a node`, recheckAt: turn.now });
  }
  const options = { atLimit: record.force ? 'delete' : 'wait', decrement: true } as const;
  const step = drainStep(victim, readOwn(record.drains, victim.id) ?? { since: turn.now }, turn, options);
  const apart: readonly UpdateAction[] = node.marked ? [] : [{ kind: 'mark', node: node.name }];
  return keepPhase(
    { ...record, drains: { [victim.id]: step.drain } },
    {
      actions: [...apart, ...step.actions],
      reason: `drains ${node.name}, which the group does not need any more`,
      held: step.held,
      recheckAt: step.next,
    },
  );
}

/**
 * One begun before. After a failure a new one, first of those that did not join. Then one of the zone with most
 * instances, so that nothing is left to balance, and of those the emptiest.
 */
function leastNeeded(record: UpdateRecord, { seen }: UpdateTurn): SeenInstance | undefined {
  const live = liveInstances(seen);
  const candidates = record.phase === 'restore' ? newInstances(record, seen) : live;
  const crowd = (zone: string): number => live.filter((each) => each.zone === zone).length;
  const traits = candidates.map((instance) => {
    const node = findSeenNode(seen, instance);
    return {
      instance,
      isBegun: readOwn(record.drains, instance.id) !== undefined,
      crowd: crowd(instance.zone),
      isUseful: hasJoined(record, seen, instance),
      pods: node === undefined ? 0 : listPodsOnNode(seen, node).length,
    };
  });
  const [first] = traits.toSorted(
    inOrder(
      inReverse(byNumberOf(({ isBegun }) => Number(isBegun))),
      inReverse(byNumberOf(({ crowd }) => crowd)),
      byNumberOf(({ isUseful }) => Number(isUseful)),
      byNumberOf(({ pods }) => pods),
      byTextOf(({ instance }) => instance.id),
    ),
  );
  return first?.instance;
}

/** The group needs all its nodes after all: what was about to go takes pods again. */
function planAfterRelease(record: UpdateRecord, { seen, now }: UpdateTurn): UpdatePlan | undefined {
  const actions = liveInstances(seen)
    .filter(({ id }) => readOwn(record.drains, id) !== undefined)
    .flatMap((instance): readonly UpdateAction[] => {
      const node = findSeenNode(seen, instance);
      if (node === undefined) return [];
      const undo: readonly UpdateAction[] = node.marked ? [{ kind: 'unmark', node: node.name }] : [];
      return node.unschedulable ? [...undo, { kind: 'uncordon', node: node.name }] : undo;
    });
  return actions.length === 0
    ? undefined
    : keepPhase(record, { actions, reason: 'lets nodes take pods again', recheckAt: now });
}

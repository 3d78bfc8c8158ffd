import { drainStep } from './drain.ts';
import { isLeaving, liveInstances, nodeOf, podsOn, type SeenInstance } from './observation.ts';
import type { Turn } from './progress.ts';
import { stay, type UpdateAction, type UpdatePlan } from './update-plan.ts';
import type { UpdateRecord } from './update-record.ts';

/**
 * The group shrinks by nodes that are empty. EKS drains what an Auto Scaling group ends; a plain group has
 * nobody who does, so the node is chosen here, drained as one that is replaced, and only then ended.
 * Nothing is lost by a node too many: a pod that may not leave is waited for, unless the update is forced.
 */
export function gently(plan: UpdatePlan, before: UpdateRecord, turn: Turn): UpdatePlan {
  const victim = victimOf(plan, before, turn);
  if (victim === undefined) return plan.record.phase === before.phase ? plan : released(plan, before, turn);
  const node = nodeOf(turn.seen, victim);
  const drain = before.drains[victim.id] ?? { since: turn.now };
  const options = { atLimit: before.force ? 'delete' : 'wait', decrement: true } as const;
  const step = drainStep(victim, drain, turn, options);
  if (step.actions.some(({ kind }) => kind === 'terminate')) return ending(plan, step.actions);
  const apart: readonly UpdateAction[] = node === undefined || node.marked ? [] : [{ kind: 'mark', node: node.name }];
  const { phase, since } = plan.record;
  // A step is remembered when it is made.
  const { step: _, ...kept } = plan.record;
  const record = before.step === undefined ? kept : { ...kept, step: before.step };
  return stay(
    { ...record, phase, since, drains: { [victim.id]: step.drain } },
    {
      actions: [...apart, ...step.actions],
      reason: `drains ${node?.name ?? victim.id}, which the group does not need any more`,
      held: step.held,
      recheckAt: step.next,
    },
  );
}

/** The instance that the plan is about to shrink the group by. */
function victimOf({ actions, record }: UpdatePlan, before: UpdateRecord, turn: Turn): SeenInstance | undefined {
  const { group } = turn.seen;
  const ended = actions.find((action) => action.kind === 'terminate');
  if (record.phase === 'restore' && ended !== undefined) {
    return group.instances.find(({ id }) => id === ended.instanceId);
  }
  const resized = actions.find((action) => action.kind === 'setSize');
  const shrinks = resized !== undefined && resized.desired < group.desired;
  return record.phase === 'scaleDown' && shrinks ? leastNeeded(before, turn) : undefined;
}

/** One begun before; then of the zone with most instances, so that nothing is left to balance; then the emptiest. */
function leastNeeded({ drains }: UpdateRecord, { seen }: Turn): SeenInstance | undefined {
  const live = liveInstances(seen);
  const crowd = (zone: string): number => live.filter((each) => each.zone === zone).length;
  const traits = live.map((instance) => {
    const node = nodeOf(seen, instance);
    const pods = node === undefined ? 0 : podsOn(seen, node).length;
    return { instance, pods, crowd: crowd(instance.zone), isBegun: drains[instance.id] !== undefined };
  });
  const [first] = traits.toSorted(
    (a, b) =>
      Number(b.isBegun) - Number(a.isBegun) ||
      b.crowd - a.crowd ||
      a.pods - b.pods ||
      (a.instance.id < b.instance.id ? -1 : 1),
  );
  return first?.instance;
}

/** Ended by name, and counted down with it; the size that follows is then already so. */
function ending(plan: UpdatePlan, end: readonly UpdateAction[]): UpdatePlan {
  const others = plan.actions.filter(({ kind }) => kind !== 'terminate');
  return { ...plan, record: { ...plan.record, drains: {} }, actions: [...end, ...others] };
}

/** The group needs all its nodes after all: what was about to go takes pods again. */
function released(plan: UpdatePlan, before: UpdateRecord, { seen, now }: Turn): UpdatePlan {
  if (before.phase !== 'scaleDown' && before.phase !== 'restore') return plan;
  const actions = seen.group.instances
    .filter((instance) => before.drains[instance.id] !== undefined && !isLeaving(instance))
    .flatMap((instance): readonly UpdateAction[] => {
      const node = nodeOf(seen, instance);
      if (node === undefined) return [];
      const undo: readonly UpdateAction[] = node.marked ? [{ kind: 'unmark', node: node.name }] : [];
      return node.unschedulable ? [...undo, { kind: 'uncordon', node: node.name }] : undo;
    });
  if (actions.length === 0) return plan;
  return stay({ ...before, drains: {} }, { actions, reason: 'lets nodes take pods again', recheckAt: now });
}

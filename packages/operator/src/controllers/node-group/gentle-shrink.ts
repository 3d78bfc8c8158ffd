import { instant, type Instant } from '@nodewright/apis';
import type { Limits, UpdateAction, UpdatePlan, UpdateRecord } from '@nodewright/nodegroups';
import type { ScalingGroup, ScalingInstance } from '@nodewright/ports';
import { instanceIdOf, updateTaint } from './names.ts';
import type { GroupPod, NodeGroupSnapshot } from './snapshot.ts';

type Found = NodeGroupSnapshot & { readonly scaling: ScalingGroup };
type Turn = { readonly seen: Found; readonly before: UpdateRecord; readonly now: Instant; readonly limits: Limits };

/**
 * The group shrinks by nodes that are empty. EKS drains what an Auto Scaling group ends; a plain group has
 * nobody who does, so the node is chosen here, drained as one that is replaced, and only then ended.
 */
export function gently(plan: UpdatePlan, turn: Turn): UpdatePlan {
  const { seen, before, now, limits } = turn;
  const victim = victimOf(plan, seen);
  if (victim === undefined) return plan;
  const node = seen.nodes.find((each) => instanceIdOf(each) === victim.id)?.metadata.name;
  const pods = seen.pods.filter((pod) => pod.node === node);
  const drain = before.drains[victim.id] ?? { since: now };
  if (node === undefined || pods.length === 0 || now >= drain.since + limits.drainMs) return ending(plan, victim);
  const isDue = drain.attemptedAt === undefined || now >= drain.attemptedAt + limits.evictionRetryMs;
  const drains = { [victim.id]: isDue ? { ...drain, attemptedAt: now } : drain };
  const { phase, since } = plan.record;
  const { step: _, ...kept } = plan.record;
  const record = before.step === undefined ? kept : { ...kept, step: before.step };
  return {
    record: { ...record, phase, since, drains },
    actions: isDue ? [...setApart(seen, node), ...pods.filter(({ leaving }) => !leaving).map(eviction)] : [],
    reason: `drains ${node}, which the group does not need any more`,
    held: heldBy(pods, drain.since),
    recheckAt: instant(now + limits.pollMs),
  };
}

/** The node that the plan is about to shrink the group by. */
function victimOf({ actions, record }: UpdatePlan, seen: Found): ScalingInstance | undefined {
  const { scaling } = seen;
  const ended = actions.find((action) => action.kind === 'terminate');
  if (record.phase === 'restore' && ended !== undefined) {
    return scaling.instances.find(({ id }) => id === ended.instanceId);
  }
  const resized = actions.find((action) => action.kind === 'setSize');
  const shrinks = resized !== undefined && resized.desired < scaling.desired;
  return record.phase === 'scaleDown' && shrinks ? leastNeeded(seen) : undefined;
}

/** Of the zone with most instances, so that nothing is left to balance; one begun before, then the emptiest. */
function leastNeeded({ scaling, nodes, pods }: Found): ScalingInstance | undefined {
  const live = scaling.instances.filter(({ lifecycle }) => !lifecycle.startsWith('Terminat'));
  const inZone = (zone: string): number => live.filter((each) => each.zone === zone).length;
  const traits = new Map(
    live.map((instance) => {
      const node = nodes.find((each) => instanceIdOf(each) === instance.id);
      const isBegun = (node?.spec?.taints ?? []).some(({ key }) => key === updateTaint.key);
      const running = pods.filter((pod) => pod.node === node?.metadata.name).length;
      return [instance.id, { isBegun, running, crowd: inZone(instance.zone) }];
    }),
  );
  const trait = (each: ScalingInstance) => traits.get(each.id) ?? { isBegun: false, running: 0, crowd: 0 };
  return live.toSorted(
    (a, b) =>
      Number(trait(b).isBegun) - Number(trait(a).isBegun) ||
      trait(b).crowd - trait(a).crowd ||
      trait(a).running - trait(b).running ||
      (a.id < b.id ? -1 : 1),
  )[0];
}

/** Ended by name, and counted down with it; the size that follows is then already so. */
function ending(plan: UpdatePlan, victim: ScalingInstance): UpdatePlan {
  if (plan.actions.some(({ kind }) => kind === 'terminate')) return plan;
  const end: UpdateAction = { kind: 'terminate', instanceId: victim.id, decrement: true };
  return { ...plan, actions: [end, ...plan.actions] };
}

const setApart = ({ nodes }: Found, name: string): readonly UpdateAction[] => {
  const node = nodes.find(({ metadata }) => metadata.name === name);
  return node?.spec?.unschedulable === true
    ? []
    : [
        { kind: 'mark', node: name },
        { kind: 'cordon', node: name },
      ];
};

const eviction = ({ namespace, name, node }: GroupPod): UpdateAction => ({ kind: 'evict', namespace, pod: name, node });

const heldBy = (pods: readonly GroupPod[], since: Instant): UpdatePlan['held'] =>
  pods
    .filter(({ leaving }) => !leaving)
    .flatMap(({ namespace, name: pod, node, budgets }) =>
      budgets
        .filter(({ disruptionsAllowed }) => disruptionsAllowed === 0)
        .map((budget) => ({ namespace, pod, node, budget: budget.name, since })),
    );

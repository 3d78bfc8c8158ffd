import { type Instant, latest } from '@nodewright/apis';
import { findSeenNode, listPodsOnNode, type SeenInstance, type SeenNode, type SeenPod } from './observation.ts';
import type { UpdateTurn } from './progress.ts';
import { addMilliseconds, type HeldPod, type UpdateAction } from './update-plan.ts';
import type { Drain } from './update-record.ts';

/** The next step of one node on its way out. */
export type DrainStep = {
  readonly drain: Drain;
  readonly actions: readonly UpdateAction[];
  readonly held: readonly HeldPod[];
  readonly next: Instant;
  /** Pods that were still there at the limit. */
  readonly stuck?: readonly SeenPod[];
};

export type DrainOptions = {
  /** At the limit: fail with what is left, delete it, go on without it, or wait on. */
  readonly atLimit: 'fail' | 'delete' | 'leave' | 'wait';
  readonly decrement: boolean;
};

/** Evict, cordon, wait, terminate; whatever of it is due now. */
export function drainStep(instance: SeenInstance, drain: Drain, turn: UpdateTurn, options: DrainOptions): DrainStep {
  const node = findSeenNode(turn.seen, instance);
  if (drain.cordonedAt !== undefined)
    return afterCordon(instance, node, { ...drain, cordonedAt: drain.cordonedAt }, turn, options);
  const pods = node === undefined ? [] : listPodsOnNode(turn.seen, node);
  if (pods.length === 0) return cordonStep(node, drain, turn, []);
  const isDue = options.atLimit !== 'wait' && turn.now >= addMilliseconds(askedSince(drain, turn), turn.limits.drainMs);
  if (!isDue) return evicting(pods, drain, turn);
  if (options.atLimit === 'fail') return { drain, actions: [], held: heldBy(pods, drain), next: turn.now, stuck: pods };
  return cordonStep(node, drain, turn, options.atLimit === 'delete' ? pods.map((pod) => podAction('delete', pod)) : []);
}

/** The time in which no host was running does not count. */
const askedSince = (drain: Drain, { since = drain.since }: UpdateTurn): Instant => latest(since, drain.since);

function afterCordon(
  instance: SeenInstance,
  node: SeenNode | undefined,
  drain: Drain & { readonly cordonedAt: Instant },
  { now, limits }: UpdateTurn,
  { decrement }: DrainOptions,
): DrainStep {
  const due = addMilliseconds(drain.cordonedAt, limits.settleMs);
  if (now >= due) {
    const actions = [{ kind: 'terminate', instanceId: instance.id, decrement }] as const;
    return { drain, actions, held: [], next: addMilliseconds(now, limits.pollMs) };
  }
  const lost = node !== undefined && !node.unschedulable;
  return { drain, actions: lost ? [{ kind: 'cordon', node: node.name }] : [], held: [], next: due };
}

function cordonStep(
  node: SeenNode | undefined,
  drain: Drain,
  { now, limits }: UpdateTurn,
  first: readonly UpdateAction[],
): DrainStep {
  const cordon: readonly UpdateAction[] = node === undefined ? [] : [{ kind: 'cordon', node: node.name }];
  const step = { drain: { ...drain, cordonedAt: now }, actions: [...first, ...cordon], held: [] };
  return { ...step, next: addMilliseconds(now, limits.settleMs) };
}

function evicting(pods: readonly SeenPod[], drain: Drain, turn: UpdateTurn): DrainStep {
  const { now, limits } = turn;
  const limit = addMilliseconds(askedSince(drain, turn), limits.drainMs);
  const orLimit = (time: Instant): Instant => (now < limit && limit < time ? limit : time);
  const held = heldBy(pods, drain);
  const actions = pods.filter(({ leaving }) => !leaving).map((pod) => podAction('evict', pod));
  if (limits.evictionRetryMs === 0) return { drain, actions, held, next: orLimit(addMilliseconds(now, limits.pollMs)) };
  const next = drain.attemptedAt === undefined ? now : addMilliseconds(drain.attemptedAt, limits.evictionRetryMs);
  if (next > now) return { drain, actions: [], held, next: orLimit(next) };
  return {
    drain: { ...drain, attemptedAt: now },
    actions,
    held,
    next: orLimit(addMilliseconds(now, limits.evictionRetryMs)),
  };
}

const podAction = (kind: 'evict' | 'delete', { namespace, name, node }: SeenPod): UpdateAction => ({
  kind,
  namespace,
  pod: name,
  node,
});

const heldBy = (pods: readonly SeenPod[], { since }: Drain): readonly HeldPod[] =>
  pods
    .filter(({ leaving }) => !leaving)
    .flatMap(({ namespace, name: pod, node, budgets }) =>
      budgets
        .filter(({ disruptionsAllowed }) => disruptionsAllowed === 0)
        .map((budget) => ({ namespace, pod, node, budget: budget.name, since })),
    );

import {
  disruptedTaint,
  fromTimestamp,
  labelSelectorPredicate,
  type Node,
  type NodeClaim,
  type Pod,
} from '@nodewright/apis';
import type { Invariant, WorldStep } from './invariant.ts';
import {
  claimOfNode,
  deletionByOperator,
  forcedFrom,
  instanceIdOf,
  isLivingPod,
  hasDeletionTime,
  isOfDaemonSet,
  saysDoNotDisrupt,
  isReadyObservedPod,
  readingLagMs,
} from './observed-objects.ts';
import { type ObservedWorld, observedKeyOf } from './observed-world.ts';

export const taintedFirst: Invariant = {
  id: 'taint-before-drain',
  sentence: 'No pod is evicted from a node that does not carry the taint `karpenter.sh/disrupted`.',
  check: (step) =>
    checkEviction(step, ({ node, pod }) =>
      node === undefined || node.spec?.unschedulable === true || hasDisruptedTaint(node)
        ? []
        : [`${observedKeyOf(pod)} is evicted from ${node.metadata.name}, which has no taint`],
    ),
};

export const protectedPods: Invariant = {
  id: 'protected-pods',
  sentence:
    'No pod with `karpenter.sh/do-not-disrupt` is evicted, unless the termination grace period of its node decides.',
  check: (step) =>
    checkEviction(step, ({ world, claim, pod }) => {
      const earlier = world.lately('pods', observedKeyOf(pod), readingLagMs).slice(0, -1);
      const wasProtected = earlier.every((each) => each !== undefined && saysDoNotDisrupt(each) && isLivingPod(each));
      return wasProtected && forcedFrom(claim) === undefined
        ? [`${observedKeyOf(pod)} is evicted, and is protected`]
        : [];
    }),
};

export const podBudgets: Invariant = {
  id: 'pod-disruption-budgets',
  sentence:
    'No eviction leaves fewer healthy pods than a PodDisruptionBudget wants, unless the termination grace period of the node decides.',
  check: (step) =>
    checkEviction(step, ({ world, claim, pod }) =>
      forcedFrom(claim) !== undefined || !isReadyObservedPod(pod) ? [] : brokenBudgets(world, pod),
    ),
};

export const drainedFirst: Invariant = {
  id: 'drain-before-end',
  sentence:
    'An instance is ended after the pods of its node are gone, unless its termination grace period decides, or it is ending anyway.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'ended') return [];
    const { instanceId } = happening;
    const claim = world
      .list('nodeclaims.karpenter.sh')
      .find(({ status }) => instanceIdOf(status?.providerID) === instanceId);
    const due = forcedFrom(claim);
    if (claim?.status?.nodeName === undefined || (due !== undefined && due <= world.now)) return [];
    if (world.find('nodes', claim.status.nodeName) === undefined || world.isTakenBack(instanceId)) return [];
    const left = world.list('pods').filter((pod) => staysOnNode(world, pod, claim.status?.nodeName ?? ''));
    return left.map((pod) => `${instanceId} is ended while ${observedKeyOf(pod)} runs on ${claim.status?.nodeName}`);
  },
};

type Eviction = {
  readonly world: ObservedWorld;
  readonly pod: Pod;
  readonly node: Node | undefined;
  readonly claim: NodeClaim | undefined;
};

/** Judges a step in which the operator begins to end a pod that is on a node. */
function checkEviction(
  { world, happening }: WorldStep,
  judge: (eviction: Eviction) => readonly string[],
): readonly string[] {
  if (happening.kind !== 'written') return [];
  const pod = deletionByOperator(happening, 'pods') as Pod | undefined;
  const name = pod?.spec.nodeName;
  if (pod === undefined || name === undefined || !isLivingPod(pod)) return [];
  return judge({ world, pod, node: world.find('nodes', name), claim: claimOfNode(world, name) });
}

const hasDisruptedTaint = ({ spec }: Node): boolean =>
  spec?.taints?.some(({ key, effect }) => key === disruptedTaint.key && effect === disruptedTaint.effect) === true;

/** Budgets that have fewer healthy pods than they want. What others removed in the last seconds is not counted. */
function brokenBudgets(world: ObservedWorld, pod: Pod): readonly string[] {
  const { namespace = '' } = pod.metadata;
  return world.list('poddisruptionbudgets.policy').flatMap((budget) => {
    if (budget.metadata.namespace !== namespace) return [];
    const selects = labelSelectorPredicate(budget.spec.selector);
    if (!selects(pod.metadata.labels ?? {})) return [];
    const wanted = world
      .lately('poddisruptionbudgets.policy', observedKeyOf(budget), readingLagMs)
      .map((each) => each?.status?.desiredHealthy ?? 0);
    const others = world
      .list('pods')
      .filter((each) => each.metadata.namespace === namespace && each !== pod && selects(each.metadata.labels ?? {}));
    const healthy = others.filter((each) => wasHealthyLately(world, each)).length;
    return healthy >= Math.min(...wanted)
      ? []
      : [
          `${observedKeyOf(pod)} is evicted, and leaves ${healthy} of ${Math.min(...wanted)} healthy pods of ${observedKeyOf(budget)}`,
        ];
  });
}

/** Counts are a moment old when an eviction is granted: readiness that others took away meanwhile is not the operator's. */
const countsLagMs = 5_000;

const wasHealthyLately = (world: ObservedWorld, pod: Pod): boolean =>
  !hasDeletionTime(pod) &&
  world
    .lately('pods', observedKeyOf(pod), countsLagMs)
    .some((each) => each !== undefined && !hasDeletionTime(each) && isReadyObservedPod(each));

/** Whether a pod that the drain has to wait for was there all the time. */
function staysOnNode(world: ObservedWorld, pod: Pod, node: string): boolean {
  if (isOfDaemonSet(pod) || toleratesDisruptedTaint(pod)) return false;
  return world
    .lately('pods', observedKeyOf(pod), readingLagMs)
    .every((each) => each !== undefined && each.spec.nodeName === node && !isStuckOrEnded(world, each));
}

/** A drain does not wait for pods that have ended, or should have been gone a minute ago. */
function isStuckOrEnded({ now }: ObservedWorld, pod: Pod): boolean {
  const { deletionTimestamp } = pod.metadata;
  if (deletionTimestamp === undefined) return !isLivingPod(pod);
  return now - fromTimestamp(deletionTimestamp) > readingLagMs;
}

const toleratesDisruptedTaint = ({ spec }: Pod): boolean =>
  spec.tolerations?.some(
    ({ key, operator, effect }) =>
      (key === disruptedTaint.key || (key === undefined && operator === 'Exists')) &&
      (effect === undefined || effect === disruptedTaint.effect),
  ) === true;

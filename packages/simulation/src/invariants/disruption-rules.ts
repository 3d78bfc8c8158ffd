import type { Budget, DisruptionReason, NodeClaim, NodePool } from '@nodewright/apis';
import { conditionOf, instant, isConditionTrue, karpenterLabels } from '@nodewright/apis';
import { isBudgetOpen } from '@nodewright/engine';
import type { Invariant, WorldStep } from './invariant.ts';
import {
  isLivingPod,
  hasDeletionTime,
  saysDoNotDisrupt,
  isNodeReady,
  leavesVoluntarily,
  nodeOfClaim,
  poolNameOf,
  readingLagMs,
  voluntaryBeginning,
} from './observed-objects.ts';
import { type ObservedWorld, observedKeyOf } from './observed-world.ts';

export const poolBudgets: Invariant = {
  id: 'pool-budgets',
  sentence:
    'No more nodes of a NodePool are away or leaving than its disruption budgets allow when another one begins to leave.',
  check: (step) => checkBeginning(step, beyondBudget),
};

export const protectedNodes: Invariant = {
  id: 'do-not-disrupt',
  sentence:
    'No node leaves voluntarily while it, or a pod on it, says `karpenter.sh/do-not-disrupt`; drift with a `terminationGracePeriod` passes over pods.',
  check: (step) => checkBeginning(step, overProtection),
};

export const replacementsFirst: Invariant = {
  id: 'replacements-first',
  sentence: 'A node that is replaced is deleted after all its replacements are initialized.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'written' || happening.collection !== 'nodeclaims.karpenter.sh') return [];
    const { before, after, operator } = happening;
    if (operator === undefined || before === undefined || hasDeletionTime(before) || !hasDeletionTime(after)) return [];
    const claim = before as NodeClaim;
    const record = leavesVoluntarily(claim) ? recordedCommand(claim) : undefined;
    if (record === undefined) return [];
    const replacements = world
      .list('nodeclaims.karpenter.sh')
      .filter(({ metadata }) => metadata.annotations?.['nodewright.dev/replacement-for'] === record.id);
    const ready = replacements.filter((each) => isConditionTrue(each, 'Initialized')).length;
    return ready >= record.replacements
      ? []
      : [`${claim.metadata.name} is deleted with ${ready} of ${record.replacements} replacements initialized`];
  },
};

function checkBeginning(
  { world, happening }: WorldStep,
  judge: (world: ObservedWorld, claim: NodeClaim) => readonly string[],
): readonly string[] {
  const claim = happening.kind === 'written' ? voluntaryBeginning(happening) : undefined;
  return claim === undefined ? [] : judge(world, claim);
}

type CommandOnClaim = { readonly id: string; readonly replacements: number };

function recordedCommand({ metadata }: NodeClaim): CommandOnClaim | undefined {
  const text = metadata.annotations?.['nodewright.dev/disruption-command'];
  return text === undefined ? undefined : (JSON.parse(text) as CommandOnClaim);
}

function beyondBudget(world: ObservedWorld, claim: NodeClaim): readonly string[] {
  const name = poolNameOf(claim);
  const pools = world.lately('nodepools.karpenter.sh', name, readingLagMs).filter((pool) => pool !== undefined);
  if (pools.length === 0) return [];
  const reason = conditionOf(claim, 'DisruptionReason')?.reason ?? '';
  const total = countPoolNodes(world, name);
  const allowed = Math.max(...pools.map((pool) => allowanceOfPool(world, pool, { reason, total })));
  const away = nodesAway(world, name);
  away.add(claim.metadata.name);
  return away.size <= allowed
    ? []
    : [
        `${claim.metadata.name} leaves (${reason}) while NodePool ${name} allows ${allowed} of ${total}: ${[...away].join(', ')}`,
      ];
}

/** Nodes of the pool, and those that were there when the decision was made. */
function countPoolNodes(world: ObservedWorld, pool: string): number {
  const all = [...world.list('nodes'), ...world.removedLately('nodes', readingLagMs)];
  return all.filter(
    (node) => poolNameOf(node) === pool && node.metadata.labels?.[karpenterLabels.initialized] === 'true',
  ).length;
}

/** Claims of the pool that leave, or whose nodes have not been ready for a while. */
function nodesAway(world: ObservedWorld, pool: string): Set<string> {
  const claims = world.list('nodeclaims.karpenter.sh').filter((claim) => poolNameOf(claim) === pool);
  const away = claims.filter((claim) => {
    const node = nodeOfClaim(world, claim);
    if (node?.metadata.labels?.[karpenterLabels.initialized] !== 'true') return false;
    if (isConditionTrue(claim, 'InstanceTerminating')) return false;
    if (leavesVoluntarily(claim)) return true;
    const earlier = world.lately('nodeclaims.karpenter.sh', claim.metadata.name, readingLagMs);
    if (earlier.every(hasDeletionTime)) return true;
    return world
      .lately('nodes', node.metadata.name, readingLagMs)
      .every((each) => each !== undefined && !isNodeReady(each));
  });
  return new Set(away.map(({ metadata }) => metadata.name));
}

type PoolTotals = { readonly reason: string; readonly total: number };

/** The most that the pool allowed in the last minute: a window may have closed since the decision. */
function allowanceOfPool(world: ObservedWorld, { spec }: NodePool, count: PoolTotals): number {
  const budgets = spec.disruption?.budgets ?? [{ nodes: '10%' }];
  const at = (ms: number): number => {
    const active = budgets.filter(
      (budget) => concernsReason(budget, count.reason) && isBudgetOpen(budget, instant(world.now - ms)),
    );
    return Math.min(Infinity, ...active.map(({ nodes }) => numberOfNodes(nodes, count.total)));
  };
  return Math.max(at(0), at(readingLagMs));
}

const concernsReason = ({ reasons }: Budget, reason: string): boolean =>
  reasons === undefined || reasons.includes(reason as DisruptionReason);

const numberOfNodes = (nodes: string, total: number): number =>
  nodes.endsWith('%') ? Math.ceil((Number(nodes.slice(0, -1)) * total) / 100) : Number(nodes);

function overProtection(world: ObservedWorld, claim: NodeClaim): readonly string[] {
  const node = nodeOfClaim(world, claim);
  if (node === undefined) return [];
  const { name } = node.metadata;
  const versions = world.lately('nodes', name, readingLagMs);
  if (versions.every((each) => each !== undefined && saysDoNotDisrupt(each)))
    return [`${name} leaves, and is protected`];
  const reason = conditionOf(claim, 'DisruptionReason')?.reason;
  if (reason === 'Drifted' && claim.spec.terminationGracePeriod !== undefined) return [];
  return world
    .list('pods')
    .filter((pod) => isProtectedThere(world, observedKeyOf(pod), name))
    .map((pod) => `${name} leaves (${reason}), and its pod ${observedKeyOf(pod)} is protected`);
}

/** Whether the pod was active, protected and on the node all the time. */
const isProtectedThere = (world: ObservedWorld, pod: string, node: string): boolean =>
  world
    .lately('pods', pod, readingLagMs)
    .every((each) => each !== undefined && isLivingPod(each) && saysDoNotDisrupt(each) && each.spec.nodeName === node);

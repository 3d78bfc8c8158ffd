import { seconds } from '@nodewright/apis';
import { eksLimits } from '@nodewright/nodegroups';
import { outdatedNodes } from './counts.ts';
import { parallelFor, podsThatMove, updateConfigOfGroup } from './gate.ts';
import type { GroupPod, NodeGroupSnapshot } from './snapshot.ts';

/** From the request for an instance until its node is ready, without image pulls. */
const joinMs = seconds(60);

/** From the eviction of a pod until its replacement is ready and the budget allows the next eviction. */
const replacePodMs = seconds(20);

/**
 * Returns how long an update takes when nothing fails, in seconds: the new nodes join, each batch is drained, settled and
 * ended, and the group is lowered one step at a time. Pods that start slowly or stop slowly make it longer.
 */
export function estimateUpdateSeconds(seen: NodeGroupSnapshot, surge: number): number {
  const outdated = outdatedNodes(seen).length;
  if (outdated === 0) return 0;
  const batches = Math.ceil(outdated / parallelFor(seen));
  const isMinimal = updateConfigOfGroup(seen).strategy === 'MINIMAL';
  const { settleMs, pollMs } = eksLimits;
  const replacing = batches * (settleMs + pollMs + (isMinimal ? joinMs : 0));
  const evicting = batches * countFurtherRounds(podsThatMove(seen), batches) * replacePodMs;
  return Math.round(((isMinimal ? 0 : joinMs) + replacing + evicting + loweringMs(seen, surge, outdated)) / 1000);
}

/** Nodes that plain groups end anyway take the surge along. EKS lowers its groups when all old nodes are gone. */
function loweringMs(seen: NodeGroupSnapshot, surge: number, outdated: number): number {
  const { scaleDownStepMs, settleMs, pollMs } = eksLimits;
  if (seen.managed !== undefined) return surge * scaleDownStepMs;
  return Math.max(0, surge - outdated) * (scaleDownStepMs + settleMs + pollMs);
}

/** Returns how often the pods of one batch wait for a budget, because it allows fewer evictions than the batch has pods. */
function countFurtherRounds(pods: readonly GroupPod[], batches: number): number {
  const byBudget = new Map<string, { count: number; allowed: number }>();
  for (const { namespace, budgets } of pods) {
    for (const { name, disruptionsAllowed } of budgets) {
      const { count = 0 } = byBudget.get(`${namespace}/${name}`) ?? {};
      byBudget.set(`${namespace}/${name}`, { count: count + 1, allowed: Math.max(1, disruptionsAllowed) });
    }
  }
  const rounds = [...byBudget.values()].map(({ count, allowed }) => Math.ceil(count / batches / allowed) - 1);
  return Math.max(0, ...rounds);
}

import { minutes, type Node, type NodeClaim } from '@nodewright/apis';
import { recheckAt, requeueAfter, settled, type Reconciler } from '@nodewright/runtime';
import { forceDrain, type ClaimEndDeps } from '../interruption/end-claim.ts';
import { observeRepair, type RepairSources } from './observe.ts';
import { planRepair } from './plan.ts';
import { reportRepairHold, reportUnhealthyNode } from './report.ts';

type NodeRepairDeps = ClaimEndDeps & RepairSources;

const heldForMs = minutes(5);

/** `node.health`: replaces nodes that are unhealthy for longer than the cloud tolerates. Keys are node names. */
export function nodeRepair(deps: NodeRepairDeps): Reconciler {
  return async (name) => {
    const seen = observeRepair(deps, name);
    if (seen === undefined) return settled;
    const plan = planRepair(seen, deps.clock.now());
    switch (plan.kind) {
      case 'none':
        return settled;
      case 'wait':
        return recheckAt(plan.until);
      case 'hold':
        deps.publish(reportRepairHold(seen.node, plan));
        return requeueAfter(heldForMs);
      case 'replace':
        await replaceUnhealthy(deps, { ...plan, node: seen.node });
        return settled;
    }
  };
}

type UnhealthyNode = { readonly claim: NodeClaim; readonly node: Node; readonly condition: string };

/** The drain is forced from the first moment: what runs on the node gets no better by waiting. */
async function replaceUnhealthy(deps: NodeRepairDeps, { claim, node, condition }: UnhealthyNode): Promise<void> {
  const marked = await forceDrain(deps, { claim, node });
  if (marked === undefined || marked.claim.metadata.deletionTimestamp !== undefined) return;
  if ((await deps.objects.nodeClaims.delete(marked.claim)) === 'gone') return;
  deps.publish(reportUnhealthyNode(node, claim, condition));
}

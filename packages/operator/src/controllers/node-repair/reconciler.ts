import { karpenterLabels, type Node, type NodeClaim } from '@nodewright/apis';
import type { RepairPolicy } from '@nodewright/ports';
import { recheckAt, requeueAfter, settled, type Reconciler } from '@nodewright/runtime';
import { nodeRepairBlocked } from '../termination/report.ts';
import { findClaimOfNode, findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { claimFields } from '../node-claim/claim-deps.ts';
import { forceDrain, type EndDeps } from '../interruption/end-claim.ts';
import { planRepair } from './plan.ts';

export type NodeRepairDeps = EndDeps & { readonly repairPolicies: readonly RepairPolicy[] };

const heldForMs = 300_000;

/** `node.health`: replaces nodes that are unhealthy for longer than the cloud tolerates. Keys are node names. */
export function nodeRepair(deps: NodeRepairDeps): Reconciler {
  const { objects, clock, report, repairPolicies: policies } = deps;
  return async (name) => {
    const node = objects.nodes.get(name);
    if (node === undefined) return settled;
    const claim = findClaimOfNode(objects, node);
    const peers = claim === undefined ? [] : peersOf(objects, claim);
    const plan = planRepair({ node, claim, peers, policies }, clock.now());
    switch (plan.kind) {
      case 'none':
        return settled;
      case 'wait':
        return recheckAt(plan.until);
      case 'hold':
        report(nodeRepairBlocked(node, plan));
        return requeueAfter(heldForMs);
      case 'replace':
        await replace(deps, { ...plan, node });
        return settled;
    }
  };
}

/** Of a NodePool by its claims: what a Node says of its NodePool does not count. */
function peersOf(objects: Objects, { metadata }: NodeClaim): readonly Node[] {
  const pool = metadata.labels?.[karpenterLabels.nodePool];
  if (pool === undefined) return objects.nodes.list();
  return objects.nodeClaims.by('nodePool', pool).flatMap((claim) => findNodeOfClaim(objects, claim) ?? []);
}

type RepairReplacement = Extract<ReturnType<typeof planRepair>, { readonly kind: 'replace' }> & { readonly node: Node };

/** The drain is forced from the first moment: what runs on the node gets no better by waiting. */
async function replace(deps: NodeRepairDeps, { claim, node, condition }: RepairReplacement): Promise<void> {
  const marked = await forceDrain(deps, { claim, node });
  if (marked === undefined || marked.claim.metadata.deletionTimestamp !== undefined) return;
  if ((await deps.objects.nodeClaims.delete(marked.claim)) === 'gone') return;
  deps.log.info('deleting unhealthy node', { ...claimFields(claim), Node: { name: node.metadata.name }, condition });
  deps.counters.claimDisrupted(claim, 'unhealthy');
  deps.counters.claimUnhealthy(claim, condition);
}

/** Conditions came, went, or became something else. */
export const isNewsOfHealth = (before: Node | undefined, after: Node | undefined): boolean =>
  printNodeHealth(before) !== printNodeHealth(after);

const printNodeHealth = (node: Node | undefined): string =>
  JSON.stringify(
    (node?.status?.conditions ?? []).map(({ type, status, lastTransitionTime }) => [type, status, lastTransitionTime]),
  );

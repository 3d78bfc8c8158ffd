import {
  conditionTrue,
  nodeClaimConditions,
  unregisteredTaint,
  withCondition,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import { hasTaint } from '../../state/taints.ts';
import type { ClaimDeps, PerformedClaimAction } from './claim-deps.ts';
import { reportInitialized, reportMissingTaint, reportRegistered } from './report.ts';
import { tellPool } from './registration-outcome.ts';
import { initializedNode, isRegisteredNode, registeredNode } from './node-sync.ts';

/** The node is written before the claim: what says "registered" must never be ahead of the node that is. */
export async function registerNode(deps: ClaimDeps, claim: NodeClaim, node: Node): Promise<PerformedClaimAction> {
  if (isMissingItsTaint(node)) deps.publish(reportMissingTaint(claim, node));
  await deps.objects.nodes.save(node, registeredNode(node, claim));
  await tellPool(deps, claim, true);
  const now = deps.clock.now();
  await deps.objects.nodeClaims.save(
    claim,
    withCondition(nodeClaimConditions, boundClaim(claim, node), conditionTrue('Registered'), now),
  );
  deps.publish(reportRegistered(claim, node));
  return {};
}

/** From now on the Node is the claim's by its name. */
export const boundClaim = (claim: NodeClaim, { metadata }: Node): NodeClaim => ({
  ...claim,
  status: { ...claim.status, nodeName: metadata.name },
});

const isMissingItsTaint = (node: Node): boolean =>
  !isRegisteredNode(node) && !hasTaint(node.spec?.taints, unregisteredTaint);

export async function initializeNode(deps: ClaimDeps, claim: NodeClaim, node: Node): Promise<PerformedClaimAction> {
  await deps.objects.nodes.save(node, initializedNode(node));
  const now = deps.clock.now();
  await deps.objects.nodeClaims.save(
    claim,
    withCondition(nodeClaimConditions, claim, conditionTrue('Initialized'), now),
  );
  deps.publish(reportInitialized(claim, node));
  return {};
}

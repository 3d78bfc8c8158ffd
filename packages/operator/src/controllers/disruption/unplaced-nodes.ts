import { isConditionTrue, karpenterLabels, type NodeClaim } from '@nodewright/apis';
import { type BlockedNode, type DisruptionBlocker, printedBlocker } from '@nodewright/engine';
import type { Clock } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';
import {
  nextReplacementFailure,
  replacementFailureOn,
  withReplacementFailure,
} from '../../state/replacement-failures.ts';
import { findActingPolicy } from '../../state/rollout-governance.ts';

type UnplacedDeps = { readonly objects: Objects; readonly clock: Clock };

/**
 * Writes on the claim of each node that a policy has let go that its pods would have no place: there is no replacement that
 * could fail. The policy lets others go meanwhile, and this one again after a while.
 */
export async function storeUnplacedNodes(deps: UnplacedDeps, blocked: readonly BlockedNode[]): Promise<void> {
  for (const { node, blocker } of blocked)
    if (node.nodeClaim !== undefined && placeKinds.has(blocker.kind))
      await storeUnplacedNode(deps, node.nodeClaim, printedBlocker(blocker));
}

const placeKinds: ReadonlySet<DisruptionBlocker['kind']> = new Set(['unschedulablePods', 'noInstanceTypes']);

async function storeUnplacedNode(
  { objects, clock }: UnplacedDeps,
  { metadata: { name } }: NodeClaim,
  because: string,
): Promise<void> {
  const claim = objects.nodeClaims.get(name);
  if (claim === undefined || !isConditionTrue(claim, 'Drifted')) return;
  if (findActingPolicy(objects, claim.metadata.labels?.[karpenterLabels.nodePool] ?? '') === undefined) return;
  const now = clock.now();
  const known = replacementFailureOn(claim);
  if (known !== undefined && known.until > now) return;
  const failure = nextReplacementFailure(known, { rollout: '', createdAt: now, because, now });
  await objects.nodeClaims.save(claim, withReplacementFailure(claim, failure));
}

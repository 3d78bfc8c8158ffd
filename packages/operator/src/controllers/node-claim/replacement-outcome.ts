import { karpenterLabels, type NodeClaim } from '@nodewright/apis';
import { replacementForAnnotation } from '../../names.ts';
import {
  nextReplacementFailure,
  replacementFailureOn,
  withReplacementFailure,
} from '../../state/replacement-failures.ts';
import { findActingPolicy } from '../../state/rollout-governance.ts';
import { rolloutOfClaim } from '../../state/rollout-seats.ts';
import type { ClaimDeps } from './claim-deps.ts';
import { claimCreatedAt } from './created-at.ts';

/**
 * Tells the NodePool of a replacement in a rollout whether it was launched. While replacements fail the pool lets no
 * other node go; other pools go on. It is written before the claim, so that a conflict repeats both.
 */
export async function tellPoolOfReplacement(
  { objects, clock }: Pick<ClaimDeps, 'objects' | 'clock'>,
  claim: NodeClaim,
  outcome: { readonly failedBecause?: string },
): Promise<void> {
  const name = claim.metadata.labels?.[karpenterLabels.nodePool] ?? '';
  const rollout = rolloutOfClaim(claim);
  const isReplacement = claim.metadata.annotations?.[replacementForAnnotation] !== undefined;
  if (!isReplacement && rollout === undefined) return;
  const pool = findActingPolicy(objects, name) === undefined ? undefined : objects.nodePools.get(name);
  if (pool === undefined) return;
  const { failedBecause: because } = outcome;
  const now = clock.now();
  const failed = { rollout: rollout ?? '', createdAt: claimCreatedAt(claim), now };
  const failure =
    because === undefined ? undefined : nextReplacementFailure(replacementFailureOn(pool), { ...failed, because });
  const told = withReplacementFailure(pool, failure);
  if (told !== pool) await objects.nodePools.save(pool, told);
}

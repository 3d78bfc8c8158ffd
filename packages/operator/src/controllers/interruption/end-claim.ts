import { fromTimestamp, karpenterAnnotations, toTimestamp } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { Objects } from '../../state/objects.ts';
import { reportClaimEnd, type ClaimEnd } from './report.ts';
import type { Victim } from './victims.ts';

export type ClaimEndDeps = {
  readonly objects: Objects;
  readonly clock: Clock;
  readonly publish: Publisher;
};

/** Deletes the claim: its node drains, as after any deletion. One that is gone already is fine. */
export async function endClaim(
  { objects, publish }: Pick<ClaimEndDeps, 'objects' | 'publish'>,
  victim: Victim,
  end: ClaimEnd,
): Promise<void> {
  if ((await objects.nodeClaims.delete(victim.claim)) === 'gone') return;
  publish(reportClaimEnd(victim, end));
}

/** From now on nothing holds the drain up. An instant that has passed already stays. */
export async function forceDrain(
  { objects, clock }: Pick<ClaimEndDeps, 'objects' | 'clock'>,
  victim: Victim,
): Promise<Victim | undefined> {
  const { claim } = victim;
  const key = karpenterAnnotations.terminationTimestamp;
  const stored = claim.metadata.annotations?.[key];
  const now = clock.now();
  if (stored !== undefined && fromTimestamp(stored) <= now) return victim;
  const annotations = { ...claim.metadata.annotations, [key]: toTimestamp(now) };
  const saved = await objects.nodeClaims.save(claim, { ...claim, metadata: { ...claim.metadata, annotations } });
  return saved && { ...victim, claim: saved };
}

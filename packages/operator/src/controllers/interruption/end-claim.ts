import { fromTimestamp, karpenterAnnotations, toTimestamp } from '@nodewright/apis';
import type { Clock, Logger } from '@nodewright/runtime';
import type { Counters } from '../../reporting/counters.ts';
import { terminatingOnInterruption } from './report.ts';
import type { Reporter } from '../../reporting/report.ts';
import type { Objects } from '../../state/objects.ts';
import { claimFields } from '../node-claim/claim-deps.ts';
import type { Victim } from './victims.ts';

export type EndDeps = {
  readonly objects: Objects;
  readonly clock: Clock;
  readonly log: Logger;
  readonly counters: Counters;
  readonly report: Reporter;
};

/** Deletes the claim: its node drains, as after any deletion. One that is gone already is fine. */
export async function endClaim(
  { objects, log, counters, report }: EndDeps,
  victim: Victim,
  { reason, message }: { readonly reason: string; readonly message: string },
): Promise<void> {
  const { claim, node } = victim;
  if ((await objects.nodeClaims.delete(claim)) === 'gone') return;
  log.info(message, { ...claimFields(claim), ...(node && { Node: { name: node.metadata.name } }), kind: reason });
  for (const event of terminatingOnInterruption(victim)) report(event);
  counters.claimDisrupted(claim, reason);
}

/** From now on nothing holds the drain up. An instant that has passed already stays. */
export async function forceDrain({ objects, clock }: EndDeps, victim: Victim): Promise<Victim | undefined> {
  const { claim } = victim;
  const key = karpenterAnnotations.terminationTimestamp;
  const stored = claim.metadata.annotations?.[key];
  if (stored !== undefined && fromTimestamp(stored) <= clock.now()) return victim;
  const annotations = { ...claim.metadata.annotations, [key]: toTimestamp(clock.now()) };
  const saved = await objects.nodeClaims.save(claim, { ...claim, metadata: { ...claim.metadata, annotations } });
  return saved && { ...victim, claim: saved };
}

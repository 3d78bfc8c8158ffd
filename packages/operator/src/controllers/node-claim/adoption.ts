import { conditionOf, finalizers, type NodeClaim } from '@nodewright/apis';
import { launchAttemptAnnotation } from '../../names.ts';

/** The stored number of the launch attempt; `undefined` before the first. */
export function attemptOf({ metadata }: NodeClaim): number | undefined {
  const attempt = Number(metadata.annotations?.[launchAttemptAnnotation]);
  return Number.isInteger(attempt) && attempt > 0 ? attempt : undefined;
}

/** The finalizer and the number of the launch attempt are stored, and the claim says that it is not launched yet. */
export const isAdopted = (claim: NodeClaim): boolean =>
  (claim.metadata.finalizers ?? []).includes(finalizers.termination) &&
  attemptOf(claim) !== undefined &&
  conditionOf(claim, 'Launched') !== undefined;

/** The claim with what has to be stored before anything is launched for it. Claims of ours are created with it. */
export const launchableClaim = (claim: NodeClaim): NodeClaim => ({
  ...claim,
  metadata: {
    ...claim.metadata,
    finalizers: [...new Set([...(claim.metadata.finalizers ?? []), finalizers.termination])],
    annotations: { ...claim.metadata.annotations, [launchAttemptAnnotation]: String(attemptOf(claim) ?? 1) },
  },
});

import { instant, type Instant, type Lease, toMicroTimestamp } from '@nodewright/apis';

export type Spec = NonNullable<Lease['spec']>;

/** Where everybody who wants to lead looks. */
export type LeaseTerms = {
  readonly name: string;
  readonly namespace: string;
  /** Who wants to lead; no two may be equal. */
  readonly identity: string;
  readonly leaseDurationSeconds: number;
};

/** The lease of a candidate that starts or continues to lead. */
export function claimedBy(
  { identity, leaseDurationSeconds }: LeaseTerms,
  before: Spec | undefined,
  now: Instant,
): Spec {
  const isMine = before?.holderIdentity === identity;
  const transitions = before?.leaseTransitions ?? 0;
  return {
    holderIdentity: identity,
    leaseDurationSeconds,
    acquireTime: (isMine ? before.acquireTime : undefined) ?? toMicroTimestamp(now),
    renewTime: toMicroTimestamp(now),
    leaseTransitions: isMine || before === undefined ? transitions : transitions + 1,
  };
}

/** A lease that any candidate may take at once. */
export const releasedLease = (before: Spec, now: Instant): Spec => ({
  ...before,
  holderIdentity: '',
  leaseDurationSeconds: 1,
  renewTime: toMicroTimestamp(now),
});

/**
 * When others may take the lease. Counted from when this process saw the renewal, by its own
 * clock: the writer's clock may be wrong.
 */
export const leaseExpiresAt = ({ leaseDurationSeconds = 0 }: Spec, seenAt: Instant): Instant =>
  instant(seenAt + leaseDurationSeconds * 1000);

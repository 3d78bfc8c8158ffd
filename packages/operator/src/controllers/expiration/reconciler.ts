import {
  type DisruptionPause,
  type Instant,
  karpenterLabels,
  type NodeClaim,
  selectableLabels,
} from '@nodewright/apis';
import { findPause } from '@nodewright/engine';
import { recheckAt, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { Objects } from '../../state/objects.ts';
import { planExpiration } from './plan.ts';
import { reportExpired, reportExpiryPaused } from './report.ts';

type ExpirationDeps = { readonly objects: Objects; readonly clock: Clock; readonly publish: Publisher };

/** `nodeclaim.expiration`: deletes claims whose term is over. Keys are claim names. */
export function expirationReconciler({ objects, clock, publish }: ExpirationDeps): Reconciler {
  return async (name) => {
    const claim = objects.nodeClaims.get(name);
    if (claim === undefined) return settled;
    const plan = planExpiration(claim, clock.now(), findExpiryPause(objects, claim, clock.now()));
    if (plan.kind === 'wait') return recheckAt(plan.until);
    if (plan.kind === 'none') return settled;
    if (plan.kind === 'paused') {
      publish(reportExpiryPaused(claim, plan.pause));
      return recheckAt(plan.until);
    }
    await objects.nodeClaims.delete(claim);
    publish(reportExpired(claim));
    return settled;
  };
}

function findExpiryPause(
  { pauses, nodePools }: Objects,
  { metadata }: NodeClaim,
  now: Instant,
): DisruptionPause | undefined {
  const pool = nodePools.get(metadata.labels?.[karpenterLabels.nodePool] ?? '');
  return findPause(
    pauses.list(),
    { kind: 'NodePool', labels: pool === undefined ? {} : selectableLabels(pool) },
    'Expired',
    now,
  );
}

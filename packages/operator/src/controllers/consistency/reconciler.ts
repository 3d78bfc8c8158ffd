import { conditionFalse, conditionTrue, instant, isConditionTrue, nodeClaimConditions, withCondition, type Instant, type Node, type NodeClaim } from '@nodewright/apis';
import { recheckAt, settled, type Clock, type Logger, type Reconciler } from '@nodewright/runtime';
import * as reports from '../node-claim/report.ts';
import type { Reporter } from '../../reporting/report.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { listShapeProblems } from './node-shape.ts';

type ConsistencyDeps = {
  readonly objects: Objects;
  readonly clock: Clock;
  readonly log: Logger;
  readonly report: Reporter;
  /** When each claim is due again. */
  readonly scans: Map<string, Instant>;
};

const consistencyPeriodMs = 10 * 60_000;

/**
 * `nodeclaim.consistency`: every ten minutes, whether an initialized node is what was launched. Keys are claim names.
 * Before initialization the claim is left to its lifecycle.
 */
export function consistencyReconciler(deps: ConsistencyDeps): Reconciler {
  return async (name) => {
    const { scans } = deps;
    const pair = initializedPair(deps.objects, name);
    if (pair === undefined) {
      scans.delete(name);
      return settled;
    }
    const now = deps.clock.now();
    const due = scans.get(name);
    if (due !== undefined && now < due) return recheckAt(due);
    await scan(deps, pair, now);
    const next = instant(now + consistencyPeriodMs);
    scans.set(name, next);
    return recheckAt(next);
  };
}

type InitializedClaim = { readonly claim: NodeClaim; readonly node: Node };

function initializedPair(objects: Objects, name: string): InitializedClaim | undefined {
  const claim = objects.nodeClaims.get(name);
  if (claim === undefined || !isManagedNodeClass(claim.spec.nodeClassRef)) return undefined;
  if (claim.metadata.deletionTimestamp !== undefined || !isConditionTrue(claim, 'Initialized')) return undefined;
  const node = findNodeOfClaim(objects, claim);
  return node === undefined ? undefined : { claim, node };
}

async function scan(
  { objects, log, report }: ConsistencyDeps,
  { claim, node }: InitializedClaim,
  now: Instant,
): Promise<void> {
  const complaints = listShapeProblems(claim, node);
  for (const complaint of complaints) {
    log.info('failed consistency check', { NodeClaim: { name: claim.metadata.name }, issue: complaint });
    report(reports.failedConsistencyCheck(claim, complaint));
  }
  const found =
    complaints.length === 0
      ? conditionTrue('ConsistentStateFound')
      : conditionFalse('ConsistentStateFound', 'ConsistencyCheckFailed', complaints.join('; '));
  await objects.nodeClaims.save(claim, withCondition(nodeClaimConditions, claim, found, now));
}

import { fromTimestamp, instant, toTimestamp, type Instant, type NodeGroupBlocker, minutes } from '@nodewright/apis';
import type { EventReport } from '@nodewright/runtime';
import { eksUpdateTaint } from './names.ts';
import { podsThatMove } from './gate.ts';
import * as reports from './report.ts';
import type { GroupPod, NodeGroupSnapshot } from './snapshot.ts';
import { blockersFrom } from './status.ts';

/** When EKS gives up on a node whose pods do not leave. */
const evictionLimitMs = minutes(15);
/** A budget that is used up for a moment is how budgets work. */
const evictionWorthTellingAfterMs = minutes(1);

/**
 * The pods on nodes set apart that a budget keeps there, since when, and until when EKS waits. It names
 * only the node, and only when it has failed.
 */
export function heldEvictions(
  seen: NodeGroupSnapshot,
  now: Instant,
): { readonly blockers: readonly NodeGroupBlocker[]; readonly reports: readonly EventReport[] } {
  const blockers = blockersFrom(
    seen.nodeGroup,
    podsThatMove(seen).filter(isOnLeavingNode(seen)).flatMap(isHeldByBudget),
    now,
  ).map((blocker) => ({
    ...blocker,
    message: `${blocker.message}; EKS gives up at ${drainLimitOf(blocker)} at the earliest`,
  }));
  const told = blockers.filter(({ since }) => now - fromTimestamp(since) >= evictionWorthTellingAfterMs);
  return { blockers, reports: told.map((blocker) => reports.evictionBlocked(seen.nodeGroup, blocker)) };
}

const drainLimitOf = ({ since }: NodeGroupBlocker): string =>
  toTimestamp(instant(fromTimestamp(since) + evictionLimitMs));

const isOnLeavingNode =
  ({ nodes }: NodeGroupSnapshot) =>
  ({ node }: GroupPod): boolean =>
    nodes.some(
      ({ metadata, spec }) =>
        metadata.name === node &&
        (spec?.unschedulable === true || (spec?.taints ?? []).some(({ key }) => key === eksUpdateTaint)),
    );

function isHeldByBudget({ namespace, name, node, leaving, budgets, heldForGood }: GroupPod) {
  if (leaving) return [];
  const exhausted = budgets.length > 1 ? heldForGood : budgets.find((each) => each.disruptionsAllowed === 0)?.name;
  if (exhausted === undefined) return [];
  const message = `PodDisruptionBudget ${namespace}/${exhausted} keeps pod ${namespace}/${name} on ${node}`;
  return [{ reason: 'EvictionBlocked', message, namespace, pod: name, node, podDisruptionBudget: exhausted }];
}

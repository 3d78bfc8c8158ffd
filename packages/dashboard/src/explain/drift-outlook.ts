import { type Instant, byNumber } from '@nodewright/apis';
import {
  type DisruptionBlocker,
  disruptionMethods,
  type DisruptionSnapshot,
  type MethodPlan,
  type NodeState,
} from '@nodewright/engine';

/** What the methods for drift would do now, read once for all nodes. */
export type DriftOutlook = {
  /** Nodes that are replaced next. */
  readonly next: ReadonlySet<NodeState>;
  readonly blockers: ReadonlyMap<NodeState, DisruptionBlocker>;
  /** When time alone may change something. */
  readonly recheckAt?: Instant;
};

const driftMethods = disruptionMethods.filter(({ reason }) => reason === 'Drifted');

export function readDriftOutlook(seen: DisruptionSnapshot, now: Instant): DriftOutlook {
  const plans = driftMethods.map(({ plan }) => plan(seen, now));
  const recheckAt = plans.flatMap((plan) => plan.recheckAt ?? []).toSorted(byNumber)[0];
  return {
    next: new Set(plans.flatMap(listCandidates)),
    // The first method that has a blocker for a node tells it.
    blockers: new Map(
      plans.flatMap(({ blocked }) => blocked.map(({ node, blocker }) => [node, blocker] as const)).toReversed(),
    ),
    ...(recheckAt === undefined ? {} : { recheckAt }),
  };
}

const listCandidates = ({ commands }: MethodPlan): readonly NodeState[] =>
  commands.flatMap(({ candidates }) => candidates.map(({ state }) => state));

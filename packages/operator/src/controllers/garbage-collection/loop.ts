import { earliest, instant, type Instant, type Node, type NodeClaim } from '@nodewright/apis';
import { recheckAt, type Clock, type Result } from '@nodewright/runtime';
import { answersAsAt, pollCloud, type PollSources } from '../../state/poll-cloud.ts';
import type { Publisher } from '../../reporting/publisher.ts';
import { areNodesAtRest } from '../../state/rest.ts';
import { garbageCollectionPeriodMs, nextListingAfter, restingPeriodMs } from './next-listing.ts';
import { observeGarbage, type GarbageSources } from './observe.ts';
import { performGarbageAction } from './perform.ts';
import { planGarbage } from './plan.ts';
import { reportGarbage } from './report.ts';

/** When the next listing is due, as long as everything is at rest, and what is known of the last one. */
export type NextListing = {
  at: Instant | undefined;
  last?: ListedState;
  /** Two in a row found nothing: what was too young to be judged in the first was not in the second. */
  isSettled?: boolean;
};

/** What a listing depends on: the same lists and the same version of the cloud give the same listing. */
type ListedState = {
  readonly claims: readonly NodeClaim[];
  readonly nodes: readonly Node[];
  readonly version: number | undefined;
};

type GarbageCollectorDeps = GarbageSources &
  PollSources & {
    readonly clock: Clock;
    readonly publish: Publisher;
    readonly nextListing: NextListing;
  };

/**
 * `nodeclaim.garbagecollection` and `instance.garbagecollection`: one listing serves both directions, and drift. While
 * nodes are at rest only every third turn lists: an instance that has ended leaves a node that is not ready. None lists
 * while the cloud tells that a listing would bring the same.
 */
export function garbageCollector(deps: GarbageCollectorDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const now = deps.clock.now();
    const { nextListing } = deps;
    const state = listedStateOf(deps);
    const atRest = nextListing.at !== undefined && areNodesAtRest(deps.objects, now);
    const isSame = isSameListing(nextListing.last, state) && answersAsAt(state.version, deps);
    if (atRest && nextListing.isSettled === true && isSame) return pollCloud(deps, garbageCollectionPeriodMs);
    const listsAt = atRest ? nextListingAfter(nextListing.at, now) : now;
    if (now < listsAt) return recheckAt(earliest(instant(now + garbageCollectionPeriodMs), listsAt));
    const seen = await observeGarbage(deps, now, signal);
    const plan = planGarbage(seen);
    for (const action of plan.actions) {
      await performGarbageAction(deps, action, signal);
      deps.publish(reportGarbage(action));
    }
    nextListing.at = earliest(instant(now + restingPeriodMs), plan.recheckAt);
    const isClean = plan.actions.length === 0 && plan.recheckAt === undefined;
    nextListing.isSettled = isClean && isSame;
    nextListing.last = state;
    return recheckAt(earliest(instant(deps.clock.now() + garbageCollectionPeriodMs), plan.recheckAt));
  };
}

const listedStateOf = ({ objects, changes }: GarbageCollectorDeps): ListedState => ({
  claims: objects.nodeClaims.list(),
  nodes: objects.nodes.list(),
  version: changes?.version(),
});

const isSameListing = (before: ListedState | undefined, now: ListedState): boolean =>
  before !== undefined && before.version === now.version && before.claims === now.claims && before.nodes === now.nodes;

import type { RolloutEvidence } from '@nodewright/apis';
import type { RolloutSettings } from '../settings.ts';
import type { RolloutSnapshot } from '../snapshot.ts';
import type { OwnerCounters } from '../owner-counters.ts';

type SideSums = RolloutEvidence['members'];

/** The counters of a variant in all, and in words: `4 failed container starts in 231 on new nodes; 0 in 1412 on old ones`. */
export function sumEvidence(
  variant: string,
  { counters }: RolloutSnapshot,
  settings: RolloutSettings,
): RolloutEvidence {
  const own = counters.filter((each) => each.variant === variant);
  const members = sumOf(own.filter(({ side }) => side === 'members'));
  const peers = sumOf(own.filter(({ side }) => side !== 'members'));
  const starts = `${members.failedStarts} failed container starts in ${members.starts} on new nodes; ${peers.failedStarts} in ${peers.starts} on old ones`;
  const restarts = `${members.restartedPods} pods restarted in ${hoursOf(members)} pod-hours; ${peers.restartedPods} in ${hoursOf(peers)}`;
  const unready = `${members.unreadyPods} of ${members.duePods} pods not Ready in time; ${peers.unreadyPods} of ${peers.duePods}`;
  const parts = [
    ...(settings.signals.comparesStarts ? [starts] : []),
    ...(settings.signals.comparesRestarts ? [restarts] : []),
    ...(settings.signals.podsReadyMs === undefined ? [] : [unready]),
  ];
  return { variant, members, peers, summary: parts.join('. ') };
}

/**
 * The evidence as it is stored. Pods start and their time moves on: what was stored stays until an amount is wrong by more
 * than a tenth, so that neither a look at a rollout nor a start of a pod is a write. Failures are stored at once.
 */
export const keepSteadyEvidence = (
  stored: readonly RolloutEvidence[] = [],
  now: readonly RolloutEvidence[],
): readonly RolloutEvidence[] =>
  now.map((each) => {
    const before = stored.find(({ variant }) => variant === each.variant);
    const isSteady =
      before !== undefined && isAboutAlike(before.members, each.members) && isAboutAlike(before.peers, each.peers);
    return isSteady ? before : each;
  });

const isAboutAlike = (stored: SideSums, now: SideSums): boolean =>
  failureCounts.every((name) => stored[name] === now[name]) &&
  exposureCounts.every((name) => Math.abs(now[name] - stored[name]) <= Math.max(stored[name] / 10, storedSlack[name]));

const failureCounts = ['failedStarts', 'restartedPods', 'unreadyPods'] as const;
const exposureCounts = ['starts', 'podSeconds', 'duePods'] as const;

/** Seconds of pods are printed in hours. */
const storedSlack: Readonly<Record<(typeof exposureCounts)[number], number>> = {
  starts: 0,
  podSeconds: 3600,
  duePods: 0,
};

const hoursOf = ({ podSeconds }: SideSums): number => Math.round(podSeconds / 3600);

const sumOf = (counters: readonly OwnerCounters[]): SideSums =>
  counters.reduce<SideSums>(
    (sum, each) => ({
      starts: sum.starts + each.starts,
      failedStarts: sum.failedStarts + each.failedStarts,
      podSeconds: sum.podSeconds + each.podSeconds,
      restartedPods: sum.restartedPods + each.restartedPods,
      duePods: sum.duePods + each.duePods,
      unreadyPods: sum.unreadyPods + each.unreadyPods,
    }),
    { starts: 0, failedStarts: 0, podSeconds: 0, restartedPods: 0, duePods: 0, unreadyPods: 0 },
  );

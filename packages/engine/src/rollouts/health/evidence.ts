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
 * The evidence as it is stored. The time of pods moves on with the clock: as long as nothing else has happened, what was
 * stored stays until the words change, hour by hour, and no look at a rollout is a write.
 */
export const keepSteadyEvidence = (
  stored: readonly RolloutEvidence[] = [],
  now: readonly RolloutEvidence[],
): readonly RolloutEvidence[] =>
  now.map((each) => {
    const before = stored.find(({ variant }) => variant === each.variant);
    const isSteady =
      before?.summary === each.summary &&
      isCountedAlike(before.members, each.members) &&
      isCountedAlike(before.peers, each.peers);
    return isSteady ? before : each;
  });

const isCountedAlike = ({ podSeconds: _before, ...a }: SideSums, { podSeconds: _now, ...b }: SideSums): boolean =>
  (Object.keys(a) as (keyof typeof a)[]).every((name) => a[name] === b[name]);

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

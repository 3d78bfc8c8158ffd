import type { BlockerRow, Dashboard, NodeRow, RolloutRow, WaitingRow } from '../rows/dashboard-rows.ts';
import { describeNodeStage } from '../rows/node-stages.ts';
import { nameCause } from '../rows/spell-words.ts';
import type { HistoryTrack, TrackedRow } from './history-rows.ts';

export const historyTracks: readonly HistoryTrack[] = ['nodes', 'blockers', 'rollouts', 'waiting'];

/** What is kept of a row. What changes all the time, such as the use of a node, is left out. */
export function trackRow(track: HistoryTrack, row: Dashboard[HistoryTrack][number]): TrackedRow {
  switch (track) {
    case 'nodes':
      return trackNode(row as NodeRow);
    case 'blockers':
      return trackBlocker(row as BlockerRow);
    case 'rollouts':
      return trackRollout(row as RolloutRow);
    case 'waiting':
      return trackWaiting(row as WaitingRow);
  }
}

const trackNode = ({ id, group, stage, release, image, microUsdPerHour }: NodeRow): TrackedRow => ({
  track: 'nodes',
  id,
  words: [describeNodeStage(stage), ...[release ?? image ?? []].flat()].join(', '),
  group,
  stage,
  ...(microUsdPerHour === undefined ? {} : { microUsdPerHour }),
});

/** By the objects that hold it, without sentences that count pods or minutes. */
const trackBlocker = ({ id, group, because, causes }: BlockerRow): TrackedRow => ({
  track: 'blockers',
  id,
  words: `${because}: held by ${[
    ...new Set(
      causes.map(({ cause, object }) =>
        object === undefined ? nameCause(cause) : `${nameCause(cause)} of ${object.kind} ${object.name}`,
      ),
    ),
  ].join(', ')}`,
  group,
});

const trackRollout = ({ id, state, wave, updated, total, failed }: RolloutRow): TrackedRow => ({
  track: 'rollouts',
  id,
  words: [
    state,
    ...(wave === undefined ? [] : [`wave ${wave}`]),
    `${updated} of ${total} updated`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ].join(', '),
});

const trackWaiting = ({ id, answer, pods }: WaitingRow): TrackedRow => ({
  track: 'waiting',
  id,
  words: answer,
  pods,
});

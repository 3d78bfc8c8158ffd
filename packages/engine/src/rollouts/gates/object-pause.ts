import { type DisruptionPause, inReverse, byNumberOf, type PausedReason } from '@nodewright/apis';
import { endOfPause, findPause } from '../../pauses/find-pause.ts';
import type { RolloutNode, RolloutSnapshot } from '../snapshot.ts';

/** The pause that keeps disruption of a governed object for this reason from beginning, if one does. */
export function findPauseOfObject(
  id: string,
  { objects, pauses, now }: Pick<RolloutSnapshot, 'objects' | 'pauses' | 'now'>,
  reason: PausedReason,
): DisruptionPause | undefined {
  const own = objects.find((object) => object.id === id);
  if (own === undefined) return undefined;
  const kind = id.startsWith('NodePool/') ? 'NodePool' : 'NodeGroup';
  return findPause(pauses, { kind, labels: own.labels }, reason, now);
}

/** Of the pauses that hold all these nodes the one that ends last; absent where a node is not paused, or there are no nodes. */
export function findPauseOfNodes(nodes: readonly RolloutNode[], seen: RolloutSnapshot): DisruptionPause | undefined {
  const objects = [...new Set(nodes.map(({ object }) => object))];
  const pauses = objects.map((object) => findPauseOfObject(object, seen, 'Drifted'));
  if (pauses.includes(undefined)) return undefined;
  return pauses.flatMap((pause) => pause ?? []).toSorted(inReverse(byNumberOf(endOfPause)))[0];
}

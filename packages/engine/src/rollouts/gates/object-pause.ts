import type { DisruptionPause, PausedReason } from '@nodewright/apis';
import { findPause } from '../../pauses/find-pause.ts';
import type { RolloutSnapshot } from '../snapshot.ts';

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

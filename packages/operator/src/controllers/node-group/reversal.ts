import { fromTimestamp } from '@nodewright/apis';
import { outdatedNodes } from './counts.ts';
import { goalOfImage } from './goal.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/**
 * Machines of the old image that came after new ones had joined: the service turned a failed update around
 * without a word. After a failure to launch, the group goes back to the old template by rule: that is none.
 * @returns names of such nodes, sorted; none for a reversal that is known
 */
export function comeBack(seen: NodeGroupSnapshot): readonly string[] {
  const [last] = seen.nodeGroup.status?.history ?? [];
  if (seen.wanted.kind !== 'image' || last?.target !== goalOfImage(seen.wanted)) return [];
  if (last.outcome !== 'Failed' || last.reverted === true || last.code === 'NodeCreationFailure') return [];
  const since = last.firstNewNodeAt;
  if (since === undefined) return [];
  return outdatedNodes(seen)
    .filter(({ metadata }) => fromTimestamp(metadata.creationTimestamp ?? since) > fromTimestamp(since))
    .map(({ metadata }) => metadata.name)
    .toSorted();
}

import { instant, type Instant, minutes } from '@nodewright/apis';
import type { GroupReading } from '../../state/group-readings.ts';
import { nameImageRules } from '../../state/image-decisions.ts';
import type { Objects } from '../../state/objects.ts';
import { outdatedNodes } from './counts.ts';
import { listGroupInstances } from './group-instances.ts';
import { instanceIdOfNode } from './names.ts';
import { movesByNode } from './nodes-let-go.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';
import { judgeUpdate, type UpdateVerdict } from './verdict.ts';

/** An obstacle that only a closer look finds counts for longer: that look comes only when the group is let go. */
const closeObstacleMs = minutes(10);
const usualObstacleMs = minutes(2);

/** What the rollouts of a policy need to know of the group; absent where none can lead it. */
export function readingOfGroup(
  seen: NodeGroupSnapshot,
  { imageRules }: Pick<Objects, 'imageRules'>,
  now: Instant,
): GroupReading | undefined {
  const { nodeGroup, images, kubernetesVersion } = seen;
  if (images === undefined) return undefined;
  const obstacle = obstacleOf(seen, now);
  return {
    uid: nodeGroup.metadata.uid,
    ...images,
    rules: nameImageRules(imageRules.list()),
    kubernetesVersion,
    instances: listGroupInstances(seen),
    moves: movesByNode(nodeGroup, seen.scaling) ? 'byNode' : 'whole',
    isUpdating: nodeGroup.status?.update !== undefined || seen.managed?.status === 'UPDATING',
    ...(obstacle === undefined ? {} : { obstacle }),
  };
}

function obstacleOf(seen: NodeGroupSnapshot, now: Instant): GroupReading['obstacle'] {
  const because = printObstacle(judgeUpdate(asIfLetGo(seen), now));
  if (because === undefined || seen.nodeGroup.status?.update !== undefined) return undefined;
  return { because, until: instant(now + (seen.quotas === undefined ? usualObstacleMs : closeObstacleMs)) };
}

/**
 * A pod that may never leave keeps its own node only, where nodes go one after the other. A pause is a gate of the policy of its
 * own, and nothing that keeps instances from being launched.
 */
function asIfLetGo({ pause: _pause, ...seen }: NodeGroupSnapshot): NodeGroupSnapshot {
  const rollout = { isLetGo: true, why: '' };
  const { byNode } = seen.rollout ?? {};
  if (byNode === undefined) return { ...seen, rollout };
  const nodes = new Set(outdatedNodes(seen).slice(0, 1).map(instanceIdOfNode));
  return { ...seen, pods: [], rollout: { ...rollout, byNode: { ...byNode, nodes } } };
}

function printObstacle(verdict: UpdateVerdict): string | undefined {
  switch (verdict.kind) {
    case 'blocked':
      return verdict.obstacles.map(({ message }) => message).join('; ');
    case 'mixed':
    case 'wouldGoBack':
      return verdict.why;
    case 'notAsked':
      return 'it waits until `nodewright nodegroup upgrade` asks for the update';
    case 'later':
      return 'its last update failed';
    case 'go':
    case 'upToDate':
    case 'watched':
    case 'noImage':
    case 'heldByRollout':
      return undefined;
  }
}

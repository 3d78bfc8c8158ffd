import { instant, type Instant, minutes, readOwn } from '@nodewright/apis';
import type { UpdateRecord } from '@nodewright/nodegroups';
import type { GroupedInstance, GroupReading } from '../../state/group-readings.ts';
import { nameImageRules } from '../../state/image-decisions.ts';
import type { Objects } from '../../state/objects.ts';
import { imageOfGroupNode } from './image-of.ts';
import { instanceIdOfNode } from './names.ts';
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
    instances: instancesOfGroup(seen),
    isUpdating: nodeGroup.status?.update !== undefined || seen.managed?.status === 'UPDATING',
    ...(obstacle === undefined ? {} : { obstacle }),
  };
}

function instancesOfGroup({ nodes, scaling, nodeGroup }: NodeGroupSnapshot): readonly GroupedInstance[] {
  const record = nodeGroup.status?.update?.record as UpdateRecord | undefined;
  const isDraining = (id: string): boolean => readOwn(record?.drains, id) !== undefined;
  const nodeOf = new Map(nodes.map((node) => [instanceIdOfNode(node), node.metadata.name]));
  if (scaling !== undefined)
    return scaling.instances.map(({ id, zone, imageId, launchedAt, lifecycle }) => {
      const node = nodeOf.get(id);
      const leaving = /^(Terminat|Detach)/.test(lifecycle) || isDraining(id);
      return { id, zone, image: imageId, launchedAt, leaving, ...(node === undefined ? {} : { node }) };
    });
  return nodes.map((node) => ({
    id: instanceIdOfNode(node) === '' ? node.metadata.name : instanceIdOfNode(node),
    zone: '',
    image: imageOfGroupNode(node, undefined) ?? '',
    launchedAt: instant(Date.parse(node.metadata.creationTimestamp ?? '1970-01-01T00:00:00Z')),
    leaving: node.metadata.deletionTimestamp !== undefined,
    node: node.metadata.name,
  }));
}

function obstacleOf(seen: NodeGroupSnapshot, now: Instant): GroupReading['obstacle'] {
  const because = printObstacle(judgeUpdate({ ...seen, rollout: { isLetGo: true, why: '' } }, now));
  if (because === undefined || seen.nodeGroup.status?.update !== undefined) return undefined;
  return { because, until: instant(now + (seen.quotas === undefined ? usualObstacleMs : closeObstacleMs)) };
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

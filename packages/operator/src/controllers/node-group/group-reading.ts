import { byTextOf, inOrder, instant, type Instant, minutes, readOwn } from '@nodewright/apis';
import type { UpdateRecord } from '@nodewright/nodegroups';
import type { ScalingInstance } from '@nodewright/ports';
import type { GroupedInstance, GroupReading } from '../../state/group-readings.ts';
import { nameImageRules } from '../../state/image-decisions.ts';
import type { Objects } from '../../state/objects.ts';
import { outdatedNodes } from './counts.ts';
import { imageOfGroupNode } from './image-of.ts';
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
    instances: instancesOfGroup(seen),
    moves: movesByNode(nodeGroup, seen.scaling) ? 'byNode' : 'whole',
    isUpdating: nodeGroup.status?.update !== undefined || seen.managed?.status === 'UPDATING',
    ...(obstacle === undefined ? {} : { obstacle }),
  };
}

function instancesOfGroup({ nodes, scaling, nodeGroup }: NodeGroupSnapshot): readonly GroupedInstance[] {
  const record = nodeGroup.status?.update?.record as UpdateRecord | undefined;
  const isDraining = (id: string): boolean => readOwn(record?.drains, id) !== undefined;
  const nodeOf = new Map(nodes.map((node) => [instanceIdOfNode(node), node.metadata.name]));
  if (scaling !== undefined) {
    const replacedBy = replacementsIn(scaling.instances, record);
    return scaling.instances.map(({ id, zone, imageId, launchedAt, lifecycle }) => {
      const [node, replaces] = [nodeOf.get(id), replacedBy.get(id)];
      const leaving = /^(Terminat|Detach)/.test(lifecycle) || isDraining(id);
      return {
        id,
        zone,
        image: imageId,
        launchedAt,
        leaving,
        ...(node === undefined ? {} : { node }),
        ...(replaces === undefined ? {} : { replaces }),
      };
    });
  }
  return nodes.map((node) => ({
    id: instanceIdOfNode(node) === '' ? node.metadata.name : instanceIdOfNode(node),
    zone: '',
    image: imageOfGroupNode(node, undefined) ?? '',
    launchedAt: instant(Date.parse(node.metadata.creationTimestamp ?? '1970-01-01T00:00:00Z')),
    leaving: node.metadata.deletionTimestamp !== undefined,
    node: node.metadata.name,
  }));
}

/** Which old instance each new one of the update stands for, in the order in which they were launched. */
function replacementsIn(
  instances: readonly ScalingInstance[],
  record: UpdateRecord | undefined,
): ReadonlyMap<string, string> {
  const { nodes, target } = record ?? {};
  if (nodes === undefined || target === undefined) return new Map();
  const others = new Set([...nodes.known, ...nodes.ids]);
  const fresh = instances
    .filter(({ id, imageId }) => nodes.made?.includes(id) ?? (imageId === target.configuration && !others.has(id)))
    .toSorted(
      inOrder<ScalingInstance>(
        (a, b) => a.launchedAt - b.launchedAt,
        byTextOf(({ id }) => id),
      ),
    );
  return new Map(fresh.flatMap(({ id }, place) => nodes.ids.slice(place, place + 1).map((old) => [id, old] as const)));
}

function obstacleOf(seen: NodeGroupSnapshot, now: Instant): GroupReading['obstacle'] {
  const because = printObstacle(judgeUpdate(asIfLetGo(seen), now));
  if (because === undefined || seen.nodeGroup.status?.update !== undefined) return undefined;
  return { because, until: instant(now + (seen.quotas === undefined ? usualObstacleMs : closeObstacleMs)) };
}

/** A pod that may never leave keeps its own node only, where nodes go one after the other. */
function asIfLetGo(seen: NodeGroupSnapshot): NodeGroupSnapshot {
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

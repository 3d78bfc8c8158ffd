import { byTextOf, inOrder, instant, readOwn, byNumberOf } from '@nodewright/apis';
import type { UpdateRecord } from '@nodewright/nodegroups';
import type { ScalingInstance } from '@nodewright/ports';
import type { GroupedInstance } from '../../state/group-readings.ts';
import { imageOfGroupNode } from './image-of.ts';
import { instanceIdOfNode } from './names.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/** The instances of a group with their nodes; of a managed group whose Auto Scaling group is not described, the nodes alone. */
export function listGroupInstances({ nodes, scaling, nodeGroup }: NodeGroupSnapshot): readonly GroupedInstance[] {
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
        byNumberOf(({ launchedAt }) => launchedAt),
        byTextOf(({ id }) => id),
      ),
    );
  return new Map(fresh.flatMap(({ id }, place) => nodes.ids.slice(place, place + 1).map((old) => [id, old] as const)));
}

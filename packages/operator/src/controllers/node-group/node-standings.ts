import { byTextOf } from '@nodewright/apis';
import { isReadyGroupNode } from './counts.ts';
import { goalOfGroup } from './goal.ts';
import { imageOfGroupNode } from './image-of.ts';
import { eksUpdateTaint, groupUpdateTaint } from './names.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/** Where one node stands in an update. */
export type NodeStanding = {
  readonly name: string;
  readonly image: string;
  readonly zone: string;
  readonly standing: 'old' | 'set apart' | 'cordoned' | 'joining' | 'new';
};

export function nodeStandings(seen: NodeGroupSnapshot): readonly NodeStanding[] {
  const { nodes, scaling } = seen;
  const goal = goalOfGroup(seen);
  return nodes
    .map((node): NodeStanding => {
      const image = imageOfGroupNode(node, scaling) ?? 'unknown';
      const isNew = image === goal;
      const keys = (node.spec?.taints ?? []).map(({ key }) => key);
      const isSetApart = keys.includes(eksUpdateTaint) || keys.includes(groupUpdateTaint.key);
      const old = node.spec?.unschedulable === true ? 'cordoned' : isSetApart ? 'set apart' : 'old';
      const fresh = isReadyGroupNode(node) ? 'new' : 'joining';
      const zone = node.metadata.labels?.['topology.kubernetes.io/zone'] ?? '';
      return { name: node.metadata.name, image, zone, standing: isNew && old === 'old' ? fresh : old };
    })
    .toSorted(byTextOf(({ name }) => name));
}

import { imageOf, isReady } from './counts.ts';
import { eksUpdateTaint, updateTaint } from './names.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/** Where one node stands in an update. */
export type NodeStanding = {
  readonly name: string;
  readonly image: string;
  readonly zone: string;
  readonly standing: 'old' | 'set apart' | 'cordoned' | 'joining' | 'new';
};

export const nodeStandings = ({ nodes, scaling, wanted }: NodeGroupSnapshot): readonly NodeStanding[] =>
  nodes
    .map((node): NodeStanding => {
      const image = imageOf(node, scaling) ?? 'unknown';
      const isNew = wanted.kind === 'image' && image === wanted.image.id;
      const keys = (node.spec?.taints ?? []).map(({ key }) => key);
      const isSetApart = keys.includes(eksUpdateTaint) || keys.includes(updateTaint.key);
      const old = node.spec?.unschedulable === true ? 'cordoned' : isSetApart ? 'set apart' : 'old';
      const fresh = isReady(node) ? 'new' : 'joining';
      const zone = node.metadata.labels?.['topology.kubernetes.io/zone'] ?? '';
      return { name: node.metadata.name, image, zone, standing: isNew && old === 'old' ? fresh : old };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

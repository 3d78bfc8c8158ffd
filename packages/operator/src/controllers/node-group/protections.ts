import type { Node } from '@nodewright/apis';
import { goalOfGroup } from './goal.ts';
import { imageOfGroupNode } from './image-of.ts';
import { scaleDownDisabled, scaleDownDisabledByUs } from './names.ts';
import type { NodeGroupAction } from './node-group-plan.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/** New nodes are kept from Cluster Autoscaler while the update runs; where that was so before, it stays. */
export function listProtections(
  seen: NodeGroupSnapshot,
  { protect }: { readonly protect: boolean },
): readonly NodeGroupAction[] {
  const { nodes, scaling } = seen;
  const goal = goalOfGroup(seen);
  const isNew = (node: Node): boolean => goal !== undefined && imageOfGroupNode(node, scaling) === goal;
  const concerned = protect
    ? nodes.filter((node) => isNew(node) && node.metadata.annotations?.[scaleDownDisabled] === undefined)
    : nodes.filter((node) => node.metadata.annotations?.[scaleDownDisabledByUs] !== undefined);
  return concerned
    .map(({ metadata }) => metadata.name)
    .toSorted()
    .map((node) =>
      protect
        ? { kind: 'protect', node, because: 'new nodes are empty at first' }
        : { kind: 'unprotect', node, because: 'the update is over' },
    );
}

import type { Node } from '@nodewright/apis';
import { imageOf } from './counts.ts';
import { scaleDownDisabled, scaleDownDisabledByUs } from './names.ts';
import type { NodeGroupAction } from './node-group-plan.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/** New nodes are kept from Cluster Autoscaler while the update runs; where somebody else did so before, it stays. */
export function protections(
  { nodes, scaling, wanted }: NodeGroupSnapshot,
  { protect }: { readonly protect: boolean },
): readonly NodeGroupAction[] {
  const isNew = (node: Node): boolean => wanted.kind === 'image' && imageOf(node, scaling) === wanted.image.id;
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

import type { AdmittedNode } from '@nodewright/apis';
import type { RolloutSnapshot } from '../snapshot.ts';
import type { MoveBlocker } from './gate.ts';

type RoomQuestion = { readonly object: string; readonly claims: number; readonly isWhole: boolean };

/**
 * Whether the subnets have addresses for so many nodes more. A new node takes one until the old one gives its own back.
 * Nodes on their way count until they are initialized, also those whose address is taken already: rather one node less at
 * a time than a launch that fails.
 */
export function roomBlockers(
  { object, claims, isWhole }: RoomQuestion,
  admitted: readonly AdmittedNode[],
  { objects, nodes }: Pick<RolloutSnapshot, 'objects' | 'nodes'>,
): readonly MoveBlocker[] {
  const own = objects.find(({ id }) => id === object);
  if (own?.freeAddresses === undefined || isWhole || claims === 0) return [];
  const sharing = new Set(objects.filter(({ source }) => source === own.source).map(({ id }) => id));
  const coming = admitted
    .filter((entry) => sharing.has(entry.object))
    .reduce((sum, entry) => sum + countComing(entry, nodes), 0);
  if (coming + claims <= own.freeAddresses) return [];
  const onTheWay = coming === 0 ? '' : `, ${coming} nodes on their way take one each`;
  const message = `subnets of ${own.source} have ${own.freeAddresses} free addresses${onTheWay}; this move takes ${claims}`;
  return [{ gate: 'surge', message }];
}

function countComing({ node, claims }: AdmittedNode, nodes: RolloutSnapshot['nodes']): number {
  const there = nodes.filter(({ replaces, initializedAt }) => replaces === node && initializedAt !== undefined);
  return Math.max(0, claims - there.length);
}

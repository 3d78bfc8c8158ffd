import { type AdmittedNode, byTextOf, type NodeRolloutPolicyStatus } from '@nodewright/apis';
import type { RolloutSnapshot } from '../snapshot.ts';
import type { HeldMove, MoveBlocker } from './gate.ts';

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
  return [{ gate: 'addresses', message }];
}

/** What is stored of the room of sources while it holds a move: a plan made from the stored status sees the same. */
export function listTightRoom(
  held: readonly HeldMove[],
  { objects, nodes }: Pick<RolloutSnapshot, 'objects' | 'nodes'>,
): NonNullable<NodeRolloutPolicyStatus['room']> {
  const waiting = new Set(
    held.filter(({ blockers }) => blockers.some(({ gate }) => gate === 'addresses')).map(({ node }) => node),
  );
  const tight = new Set(nodes.filter(({ name }) => waiting.has(name)).map(({ object }) => object));
  const room = new Map(
    objects.flatMap(({ id, source, freeAddresses }): [string, number][] =>
      freeAddresses !== undefined && tight.has(id) ? [[source, freeAddresses]] : [],
    ),
  );
  return [...room]
    .map(([source, freeAddresses]) => ({ source, freeAddresses }))
    .toSorted(byTextOf((each) => each.source));
}

/** How many new nodes of a move are not initialized yet. */
export function countComing({ node, claims }: AdmittedNode, nodes: RolloutSnapshot['nodes']): number {
  const there = nodes.filter(({ replaces, initializedAt }) => replaces === node && initializedAt !== undefined);
  return Math.max(0, claims - there.length);
}

import type { RolloutNode } from './snapshot.ts';

/** From the creation of a node until it is initialized, the shortest that these have shown; 0 where none has. */
export function shortestStart(nodes: readonly RolloutNode[]): number {
  const all = nodes.flatMap(({ createdAt, initializedAt }) =>
    initializedAt === undefined ? [] : [initializedAt - createdAt],
  );
  return all.length === 0 ? 0 : Math.min(...all);
}

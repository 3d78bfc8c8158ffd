import type { NodeRow, NodeStage } from './dashboard-rows.ts';

/** What stages are called, the most urgent first. */
export const nodeStageWords: readonly (readonly [stage: NodeStage, words: string])[] = [
  ['troubled', 'not working'],
  ['toMove', 'to move'],
  ['leaving', 'leaving'],
  ['starting', 'starting'],
  ['unmanaged', 'unmanaged'],
  ['ready', 'ready'],
];

export const describeNodeStage = (stage: NodeStage): string =>
  nodeStageWords.find(([name]) => name === stage)?.[1] ?? stage;

/** How many nodes are in each stage that some are in: `2 to move, 10 ready`. */
export function summarizeStages(nodes: readonly NodeRow[]): string {
  const counts = new Map<NodeStage, number>();
  for (const { stage } of nodes) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  return nodeStageWords
    .flatMap(([stage, words]) => (counts.has(stage) ? [`${counts.get(stage) ?? 0} ${words}`] : []))
    .join(', ');
}

/** `1 node`, `2 nodes`. */
export const spellNodeCount = (count: number): string => (count === 1 ? '1 node' : `${count} nodes`);

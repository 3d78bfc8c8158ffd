import { nodeClaims, nodePools, nodes, karpenterLabels, kubernetesLabels, type NodePool } from '@nodewright/apis';
import { nodeLabelsOf, nodeNameOf, printedShares, savingsOf, type DisruptionCommand, type MoveScore, type NodeState } from '@nodewright/engine';
import type { EventReport } from '@nodewright/runtime';
import { printSomeNames } from '../../reporting/some-of.ts';

type Move = Pick<DisruptionCommand, 'candidates' | 'replacements'>;

const normal = { type: 'Normal' } as const;

/** The same event on the node and on its claim. */
function reportNodeAndClaim(
  { node, nodeClaim }: NodeState,
  words: Omit<EventReport, 'kind' | 'about'>,
): readonly EventReport[] {
  const about = (uid: string | undefined) => [uid ?? '', ...(words.dedupe ?? [])];
  return [
    ...(node === undefined ? [] : [{ ...words, kind: nodes, about: node, dedupe: about(node.metadata.uid) }]),
    ...(nodeClaim === undefined
      ? []
      : [{ ...words, kind: nodeClaims, about: nodeClaim, dedupe: about(nodeClaim.metadata.uid) }]),
  ];
}

/** On each node that a replacement is known for, whether it will be made or not. */
export const consolidationCandidate = (move: Move): readonly EventReport[] =>
  move.candidates.flatMap(({ state }) => {
    const command = moveText(move, state);
    const message = `${command}, saving $${(savingsOf(move) / 1_000_000).toFixed(2)} per hour`;
    return reportNodeAndClaim(state, { ...normal, reason: 'ConsolidationCandidate', message, dedupe: [command] });
  });

/** On each node of a move that was found and is not made after all. */
export const consolidationRejected = (
  move: Move,
  { because, detail }: { readonly because: string; readonly detail?: string | undefined },
): readonly EventReport[] =>
  move.candidates.flatMap(({ state }) => {
    const command = moveText(move, state);
    const message = `${command} is not done (${because})${detail === undefined ? '' : `: ${detail}`}`;
    return reportNodeAndClaim(state, {
      ...normal,
      reason: 'ConsolidationRejected',
      message,
      dedupe: [command, because],
    });
  });

/** On the node that a pool with the Balanced policy lets go. */
export const consolidationApproved = (state: NodeState, score: MoveScore): readonly EventReport[] =>
  reportNodeAndClaim(state, { ...normal, reason: 'ConsolidationApproved', message: printApproval(score), dedupe: [] });

/** On the pool with the Balanced policy that lets several nodes go together. */
export const consolidationOfPoolApproved = (pool: NodePool, score: MoveScore): EventReport => ({
  ...normal,
  kind: nodePools,
  about: pool,
  reason: 'ConsolidationApproved',
  message: printApproval(score),
  dedupe: [pool.metadata.uid ?? pool.metadata.name],
});

const printApproval = (score: MoveScore): string =>
  `The Balanced policy agrees: ${printedShares(score)} (k ${Math.round(1 / score.threshold)})`;

/**
 * `replace node ip-10-0-1-7/m6g.xlarge/spot with one of c6g.large, m6g.large`; of several nodes the one that it is told
 * of: `replace node ip-10-0-1-7/m6g.xlarge/spot and 3 others with ...`.
 */
export function moveText({ candidates, replacements }: Move, about: NodeState): string {
  const others = candidates.length - 1;
  const beside = others === 0 ? '' : ` and ${others} other${others === 1 ? '' : 's'}`;
  const [replacement] = replacements;
  const node = `node ${describeMovedNode(about)}${beside}`;
  if (replacement === undefined) return `delete ${node}`;
  const [capacityType = ''] = [...(replacement.requirements.get(karpenterLabels.capacityType)?.values ?? [])];
  const types = printSomeNames(replacement.instanceTypes.map(({ name }) => name));
  return `replace ${node} with one of ${types}${capacityType === '' ? '' : ` (${capacityType})`}`;
}

function describeMovedNode(state: NodeState): string {
  const labels = nodeLabelsOf(state);
  return [nodeNameOf(state), labels[kubernetesLabels.instanceType], labels[karpenterLabels.capacityType]].join('/');
}

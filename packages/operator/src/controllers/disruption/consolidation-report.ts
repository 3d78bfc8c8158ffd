import { nodeClaims, nodePools, nodes, karpenterLabels, kubernetesLabels, type NodePool } from '@nodewright/apis';
import {
  nodeLabelsOf,
  nodeNameOf,
  printedScore,
  printedShares,
  savingsOf,
  type CommandValidation,
  type DisruptionCandidate,
  type DisruptionCommand,
  type MoveScore,
  type NodeState,
  type WeighedMove,
} from '@nodewright/engine';
import type { EventReport } from '@nodewright/runtime';
import { counterEntry, eventEntries, eventEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import { printSomeNames } from '../../reporting/some-of.ts';
import type { MethodEvaluation } from './pass.ts';

/** Moves that a pass of consolidation found to work, and what the policies of their pools said. */
export function reportMoves({ method, plan: { search } }: MethodEvaluation): readonly ReportEntry[] {
  if (search === undefined) return [];
  const { found, outweighed } = search;
  const weighed = found === undefined ? outweighed : [...outweighed, found];
  // Of the tries for several nodes only the last says what became of them.
  const counted = method.consolidationType === 'multi' ? weighed.slice(-1) : weighed;
  return [
    ...weighed
      .filter(({ move }) => move.replacements.length > 0)
      .flatMap(({ move }) => eventEntries(consolidationCandidate(move))),
    ...counted.flatMap(reportVerdicts),
    ...(found === undefined ? [] : reportApproval(found)),
  ];
}

const reportVerdicts = ({ move, scores }: WeighedMove): readonly ReportEntry[] =>
  [...poolsOfCandidates(move.candidates)].map(([nodePool, { spec }]) => {
    const score = scores.find((each) => each.nodePool === nodePool);
    return counterEntry('moveWeighed', {
      nodePool,
      policy: spec.disruption?.consolidationPolicy ?? 'WhenEmptyOrUnderutilized',
      isApproved: score?.isApproved ?? true,
      ...(score === undefined ? {} : { score: score.score }),
    });
  });

const poolsOfCandidates = (candidates: readonly DisruptionCandidate[]): ReadonlyMap<string, NodePool> =>
  new Map(candidates.map(({ nodePool }) => [nodePool.metadata.name, nodePool]));

function reportApproval({ move, scores }: WeighedMove): readonly ReportEntry[] {
  const [first, ...others] = move.candidates;
  const pools = poolsOfCandidates(move.candidates);
  return scores.flatMap((score) => {
    const pool = pools.get(score.nodePool);
    if (others.length > 0 && pool !== undefined) return [eventEntry(consolidationOfPoolApproved(pool, score))];
    return first === undefined ? [] : eventEntries(consolidationApproved(first.state, score));
  });
}

/** A move that was found and is not made after all. */
export function reportRejection(
  command: DisruptionCommand,
  dropped: CommandValidation['dropped'],
): readonly ReportEntry[] {
  const [first] = dropped;
  return first === undefined ? [] : eventEntries(consolidationRejected(command, first));
}

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
const consolidationCandidate = (move: Move): readonly EventReport[] =>
  move.candidates.flatMap(({ state }) => {
    const command = moveText(move, state);
    const message = `Consolidation candidate: ${command} ${printMoveSavings(move)}`;
    return reportNodeAndClaim(state, { ...normal, reason: 'ConsolidationCandidate', message, dedupe: [command] });
  });

/** On each node of a move that was found and is not made after all. */
const consolidationRejected = (
  move: Move,
  { because, detail }: { readonly because: string; readonly detail?: string | undefined },
): readonly EventReport[] =>
  move.candidates.flatMap(({ state }) => {
    const command = moveText(move, state);
    const words = `Consolidation rejected: ${command}, reason: ${because} ${printMoveSavings(move)}`;
    const message = detail === undefined ? words : `${words}: ${detail}`;
    return reportNodeAndClaim(state, {
      ...normal,
      reason: 'ConsolidationRejected',
      message,
      dedupe: [command, because],
    });
  });

/** In dollars per hour. */
const printMoveSavings = (move: Move): string => `(savings: $${(savingsOf(move) / 1_000_000).toFixed(2)})`;

/** On the node that a pool with the Balanced policy lets go. */
const consolidationApproved = (state: NodeState, score: MoveScore): readonly EventReport[] =>
  reportNodeAndClaim(state, { ...normal, reason: 'ConsolidationApproved', message: printApproval(score), dedupe: [] });

/** On the pool with the Balanced policy that lets several nodes go together. */
const consolidationOfPoolApproved = (pool: NodePool, score: MoveScore): EventReport => ({
  ...normal,
  kind: nodePools,
  about: pool,
  reason: 'ConsolidationApproved',
  message: printApproval(score),
  dedupe: [pool.metadata.uid ?? pool.metadata.name],
});

const printApproval = (score: MoveScore): string =>
  `Consolidation approved: score ${printedScore(score)} >= threshold ${score.threshold.toFixed(2)} ` +
  `(k: ${Math.round(1 / score.threshold)}): ${printedShares(score)}`;

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

import { nodeClaims, nodes, type Node, type NodeClaim } from '@nodewright/apis';
import { printedBlocker, type DisruptionBlocker, type NodeRemark, type NodeState } from '@nodewright/engine';
import type { EventReport } from '@nodewright/runtime';

type DisruptedPair = { readonly claim?: NodeClaim | undefined; readonly node?: Node | undefined };
type DisruptionWords = {
  readonly reason: string;
  readonly message: string;
  readonly dedupe?: readonly string[];
  readonly windowMs?: number;
};

/** The same event on the node and on the claim, whichever exist. */
function reportDisruptedPair(
  { claim, node }: DisruptedPair,
  { message, dedupe = [], ...words }: DisruptionWords,
): readonly EventReport[] {
  const said = { type: 'Normal', message, ...words } as const;
  return [
    ...(node === undefined
      ? []
      : [{ ...said, kind: nodes, about: node, dedupe: [node.metadata.uid ?? '', ...dedupe] }]),
    ...(claim === undefined
      ? []
      : [{ ...said, kind: nodeClaims, about: claim, dedupe: [claim.metadata.uid ?? '', ...dedupe] }]),
  ];
}

/** On the node and its claim; a budget is the pool's affair, but both may ask what holds them. */
export const disruptionBlocked = ({ node, nodeClaim }: NodeState, blocker: DisruptionBlocker): readonly EventReport[] =>
  reportDisruptedPair({ node, claim: nodeClaim }, { reason: 'DisruptionBlocked', message: printedBlocker(blocker) });

const fifteenMinutesMs = 15 * 60_000;

export const reportUnconsolidatable = ({ node: { node, nodeClaim }, message }: NodeRemark): readonly EventReport[] =>
  reportDisruptedPair({ node, claim: nodeClaim }, { reason: 'Unconsolidatable', message, windowMs: fifteenMinutesMs });

export const disruptionTerminating = (pair: DisruptedPair, reason: string): readonly EventReport[] =>
  reportDisruptedPair(pair, {
    reason: 'DisruptionTerminating',
    message: `Disrupting Node: ${reason}`,
    dedupe: [reason],
  });

export const awaitingReplacement = (claim: NodeClaim, reason: string): readonly EventReport[] => [
  ...reportDisruptedPair(
    { claim },
    { reason: 'DisruptionLaunching', message: `Launching NodeClaim: ${reason}`, dedupe: [reason] },
  ),
  ...reportDisruptedPair(
    { claim },
    { reason: 'DisruptionWaitingReadiness', message: 'Waiting on readiness to continue disruption' },
  ),
];

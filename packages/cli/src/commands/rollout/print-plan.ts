import { toTimestamp } from '@nodewright/apis';
import { printedAge } from '@nodewright/dashboard/rows';
import {
  isVariantInUse,
  lateNodesAdvice,
  type MoveBlocker,
  printLateNodes,
  printMoveBlocker,
  type WaveForecast,
} from '@nodewright/engine';
import type { RolloutOutlook } from '@nodewright/operator';
import { printTable } from '../../terminal/table.ts';

/** A node, or a managed node group, that has to move. */
type PlannedMove = {
  readonly node: string;
  readonly object: string;
  /** What holds it; nothing for one that is let go next. */
  readonly gates: readonly { readonly gate: MoveBlocker['gate']; readonly message: string; readonly until?: string }[];
};

/** For programs. */
export const writePlan = (outlook: RolloutOutlook) => ({
  policy: outlook.policy,
  ...(outlook.plan.policyStatus.rollout === undefined ? {} : { rollout: outlook.plan.policyStatus.rollout }),
  waves: outlook.waves.map(writtenWave),
  moves: listMoves(outlook),
  ...lateNodesOf(outlook),
  ...(outlook.plan.nextChangeAt === undefined ? {} : { nextChangeAt: toTimestamp(outlook.plan.nextChangeAt) }),
});

const writtenWave = ({ earliestStart, earliestEnd, soakMs, ...wave }: WaveForecast) => ({
  ...wave,
  soakSeconds: soakMs / 1_000,
  ...(earliestStart === undefined ? {} : { earliestStart: toTimestamp(earliestStart) }),
  ...(earliestEnd === undefined ? {} : { earliestEnd: toTimestamp(earliestEnd) }),
});

/** Those that are let go next come first. */
function listMoves({ snapshot, plan, nodeNames }: RolloutOutlook): readonly PlannedMove[] {
  const before = new Set((snapshot.policy.status?.admitted ?? []).map(({ node }) => node));
  const objects = new Map(snapshot.nodes.map(({ name, object }) => [name, object]));
  const about = (name: string) => ({ node: nodeNames.get(name) ?? name, object: objects.get(name) ?? name });
  const next = (plan.policyStatus.admitted ?? [])
    .filter(({ node }) => !before.has(node))
    .map(({ node }) => ({ ...about(node), gates: [] }));
  const held = plan.held.map(({ node, blockers }) => ({
    ...about(node),
    gates: blockers.map(({ gate, message, until }) => ({
      gate,
      message,
      ...(until === undefined ? {} : { until: toTimestamp(until) }),
    })),
  }));
  return [...next, ...held];
}

/** Nodes that go by force for their age before the policy can let them go. */
const lateNodesOf = ({ plan, nodeNames }: RolloutOutlook) =>
  plan.lateNodes.length === 0
    ? {}
    : {
        lateNodes: plan.lateNodes.map(({ node, object, end, endsBy }) => ({
          node: nodeNames.get(node) ?? node,
          object,
          end: toTimestamp(end),
          endsBy,
        })),
      };

const mostShownMoves = 20;

/** For people. */
export function printPlan(outlook: RolloutOutlook): string {
  const { policy, plan, snapshot, waves } = outlook;
  const { rollout } = plan.policyStatus;
  const late =
    plan.lateNodes.length === 0 ? [] : [`maxAge: ${printLateNodes(plan.lateNodes, snapshot)}`, lateNodesAdvice];
  const moves = listMoves(outlook);
  const waiting = heldImageLines(outlook);
  const head =
    rollout === undefined
      ? [`${policy}: no rollout is under way; one begins when another image is wanted than the proven one`]
      : [
          `${policy}: ${rollout} is ${plan.statuses.get(rollout)?.state ?? 'Progressing'}`,
          printTable(
            ['WAVE', 'SEATS', 'NODES', 'SOAK', 'STATE', 'EARLIEST START', 'EARLIEST END'],
            waves.map(rowOfWave),
          ),
        ];
  if (rollout === undefined && moves.length === 0) return [...head, ...waiting, ...late].join('\n');
  const common = commonBlockers(outlook);
  const rows = moves
    .slice(0, mostShownMoves)
    .map(({ node, object, gates }) => [
      node,
      object,
      gates.length === 0 ? 'is let go next' : [...new Set(gates.map(({ gate }) => gate))].join(', '),
    ]);
  return [
    ...head,
    ...waiting,
    ...(moves.length === 0
      ? ['no node is left to move']
      : [`${headOfMoves(moves)} (${moves.length}):`, printTable(['NODE', 'OF', 'WAITS FOR'], rows)]),
    ...(moves.length > mostShownMoves ? [`and ${moves.length - mostShownMoves} more; -o json prints all`] : []),
    ...common.map((blocker) => `${blocker.gate}: ${printMoveBlocker(blocker)}`),
    ...late,
    ...(plan.nextChangeAt === undefined ? [] : [`looked at again at ${toTimestamp(plan.nextChangeAt)} at the latest`]),
  ].join('\n');
}

/** Nodes that a halt keeps go when a person leads on, if at all. */
const headOfMoves = (moves: readonly PlannedMove[]): string =>
  moves.every(({ gates }) => gates.some(({ gate }) => gate === 'halt'))
    ? 'nodes that stay on their image'
    : 'nodes in the order in which they go';

/** Newer images of nodes that are there, which the policy does not let in yet: each reason once. */
function heldImageLines({ snapshot }: RolloutOutlook): readonly string[] {
  const held = (snapshot.policy.status?.heldImages ?? []).filter((image) => isVariantInUse(image, snapshot));
  return [...new Set(held.map(({ source, reason, because }) => `not let in yet for ${source}, ${reason}: ${because}`))];
}

const rowOfWave = ({ name, seats, nodes, soakMs, needsApproval, state, ...times }: WaveForecast): readonly string[] => [
  name,
  String(seats),
  String(nodes),
  soakMs === 0 ? '-' : printedAge(soakMs / 1_000),
  needsApproval && state === 'toCome' ? `${waveStateWords[state]}, needs approval` : waveStateWords[state],
  times.earliestStart === undefined ? '-' : toTimestamp(times.earliestStart),
  times.earliestEnd === undefined ? '-' : toTimestamp(times.earliestEnd),
];

const waveStateWords = { ended: 'ended', underWay: 'under way', halted: 'halted', toCome: 'to come' } as const;

/** The first node's gates, in full: most of them are those of all. */
const commonBlockers = ({ plan }: RolloutOutlook): readonly MoveBlocker[] => plan.held[0]?.blockers ?? [];

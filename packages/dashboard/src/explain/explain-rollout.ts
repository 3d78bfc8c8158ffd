import {
  byTextOf,
  fromTimestamp,
  type Instant,
  inReverse,
  byNumberOf,
  type NodeRollout,
  type NodeRolloutStatus,
} from '@nodewright/apis';
import {
  currentRollout,
  hasEnded,
  printDrainKeeper,
  printFailedNode,
  printMovedNode,
  printMoveBlocker,
  resolveRolloutSettings,
} from '@nodewright/engine';
import type { ClusterReading, RolloutOutlook } from '@nodewright/operator';
import { listAdmittedNodes } from '../rollouts/admitted-nodes.ts';
import { listRolloutCommands } from '../rollouts/rollout-commands.ts';
import { countWords } from '../rollouts/rollout-counts.ts';
import { listRolloutWaits, readWindowRow } from '../rollouts/rollout-waits.ts';
import { listImageChanges, stateWords } from '../rollouts/rollout-words.ts';
import { viewWaves } from '../rollouts/wave-rows.ts';
import type { Explanation } from '../rows/dashboard-rows.ts';
import { describeWave } from '../rows/wave-words.ts';
import { printWindow } from '../rows/window-words.ts';
import { createNoSuchObjectError } from './explanation.ts';

type RolloutReading = Pick<ClusterReading, 'rolloutObjects' | 'rollouts'>;

/**
 * How far a rollout is, what holds it and what a person can do.
 * @param name of the rollout, or of the policy whose rollout is under way, or was the last one
 */
export function explainRollout(name: string, reading: RolloutReading, now: Instant): Explanation {
  const rollout = findRolloutOf(name, reading.rolloutObjects.rollouts);
  const { metadata, spec, status = {} } = rollout;
  const outlook = hasEnded(rollout) ? undefined : reading.rollouts.find(({ policy }) => policy === spec.policy);
  const { nextChangeAt, expectedEnd, halted, endedAt } = status;
  const isGoing = endedAt === undefined && halted === undefined;
  return {
    subject: { kind: 'NodeRollout', name: metadata.name },
    answer: `is ${stateWords(status)}: ${countWords(status)}`,
    reasons: [
      describeBeginning(rollout),
      ...listImageChanges(spec, outlook?.snapshot),
      ...(halted === undefined ? [] : [`it halted at ${halted.at}: ${halted.message}`]),
      ...listRolloutWaits(rollout).map(
        ({ message, since }) => `it waits${since === undefined ? '' : ` since ${since}`}: ${message}`,
      ),
      ...(isGoing ? describeWindow(rollout, reading, now) : []),
      ...viewWaves(status, outlook).map((wave) => `wave ${describeWave(wave)}`),
      ...countHeldNodes(outlook),
      ...(status.failures ?? []).map(
        (failure) => `${printFailedNode(failure)} failed at ${failure.at}, ${failure.signal}: ${failure.evidence}`,
      ),
      ...(outlook === undefined ? [] : listAdmittedNodes(outlook, rollout)).map(
        ({ node, since, standing }) => `${node} was let go at ${since}: it ${standing}`,
      ),
      ...(status.parked ?? []).map(
        (entry) => `${printMovedNode(entry)} is parked since ${entry.since}: ${printDrainKeeper(entry)}`,
      ),
      ...(status.evidence ?? []).map(({ variant, summary }) => `${variant}: ${summary}`),
      ...(isGoing && expectedEnd !== undefined ? [`it is expected to end at ${expectedEnd}`] : []),
      ...listRolloutCommands(rollout).map(({ purpose, command }) => `${purpose}: ${command}`),
    ],
    ...(isGoing && nextChangeAt !== undefined && fromTimestamp(nextChangeAt) > now
      ? describeRolloutChange(status.state, nextChangeAt)
      : {}),
    seeAlso: `nodewright rollout status ${metadata.name} tells what people asked of it, nodewright rollout plan ${spec.policy} what comes next`,
  };
}

/** What time alone brings next. Time alone leads nowhere while a person is waited for. */
function describeRolloutChange(
  state: NodeRolloutStatus['state'],
  changesAt: string,
): Pick<Explanation, 'changesAt' | 'change'> {
  switch (state) {
    case 'WaitingForApproval':
      return {};
    case 'Paused':
      return { changesAt, change: 'the pause ends' };
    case 'WaitingForWindow':
      return { changesAt, change: 'a window opens' };
    default:
      return { changesAt, change: 'a soak, a window or the rest between two nodes ends' };
  }
}

/** @throws NoSuchObjectError that tells which there are */
function findRolloutOf(name: string, rollouts: readonly NodeRollout[]): NodeRollout {
  const exact = rollouts.find(({ metadata }) => metadata.name === name);
  if (exact !== undefined) return exact;
  const own = rollouts.filter(({ spec }) => spec.policy === name);
  const found = currentRollout({ rollouts: own }) ?? own.toSorted(inReverse(byNumberOf(({ spec }) => spec.number)))[0];
  if (found !== undefined) return found;
  throw createNoSuchObjectError(
    'NodeRollout or NodeRolloutPolicy with one',
    name,
    rollouts.map(({ metadata }) => metadata.name),
  );
}

function describeBeginning({ spec, status: { startedAt, endedAt } = {} }: NodeRollout): string {
  const cause = spec.rollbackOf === undefined ? spec.cause : `${spec.cause} of ${spec.rollbackOf}`;
  const begun = startedAt === undefined ? '' : ` at ${startedAt}`;
  const ended = endedAt === undefined ? '' : `, and it ended at ${endedAt}`;
  return `NodeRolloutPolicy ${spec.policy} began it${begun} for ${cause}${ended}`;
}

function describeWindow({ spec }: NodeRollout, { rolloutObjects }: RolloutReading, now: Instant): readonly string[] {
  const policy = rolloutObjects.policies.find(({ metadata }) => metadata.name === spec.policy);
  if (policy === undefined) return [`its NodeRolloutPolicy ${spec.policy} is gone`];
  return [`window: ${printWindow(readWindowRow(resolveRolloutSettings(policy.spec), now))}`];
}

/** Each gate that holds nodes, how many, and what it says of one of them. */
function countHeldNodes(outlook: RolloutOutlook | undefined): readonly string[] {
  const gates = new Map<string, string[]>();
  for (const { gate, words } of (outlook?.plan.held ?? []).flatMap(({ blockers }) =>
    blockers.map((blocker) => ({ gate: blocker.gate, words: printMoveBlocker(blocker) })),
  ))
    gates.set(gate, [...(gates.get(gate) ?? []), words]);
  return [...gates].toSorted(byTextOf(([gate]) => gate)).map(([gate, [first = '', ...others]]) => {
    const count = others.length + 1;
    return `gate ${gate} holds ${count === 1 ? '1 node' : `${count} nodes`}: ${first}`;
  });
}

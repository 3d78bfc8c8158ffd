import {
  conditionOf,
  type NodeRollout,
  type NodeRolloutStatus,
  type RolloutSeat,
  type RolloutWaveStatus,
} from '@nodewright/apis';
import { printedAge } from '@nodewright/dashboard/rows';
import {
  countWords,
  listAdmittedNodes,
  listImageChanges,
  listRolloutCommands,
  seatWords,
  stateWords,
} from '@nodewright/dashboard';
import { printFailedNode, printMovedNode } from '@nodewright/engine';
import type { RolloutOutlook } from '@nodewright/operator';
import { printTable } from '../../terminal/table.ts';

/**
 * Where a rollout stands, for people: the answers to what, why, since when, and what next.
 * @param outlook of its policy: names of nodes, and what those wait for that were let go
 */
export function printRollout(rollout: NodeRollout, outlook?: RolloutOutlook): string {
  const { status = {} } = rollout;
  const blocks = [
    printFacts(factsOfRollout(rollout, outlook)),
    wavesTable(status.waves ?? []),
    newNodesTable(status, outlook?.nodeNames),
    letGoTable(rollout, outlook),
    failuresTable(status),
    parkedTable(status),
    requestsTable(status),
    nextSteps(rollout),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

type Fact = readonly [name: string, value: string];

function factsOfRollout(rollout: NodeRollout, outlook: RolloutOutlook | undefined): readonly Fact[] {
  const { metadata, spec, status = {} } = rollout;
  const { halted, startedAt, endedAt, nextChangeAt, expectedEnd } = status;
  const moved = listImageChanges(spec, outlook?.snapshot);
  const isOver = endedAt !== undefined;
  const waitsForPerson = halted !== undefined || status.state === 'WaitingForApproval';
  return [
    ['rollout', `${metadata.name}, of NodeRolloutPolicy ${spec.policy}`],
    ['state', stateWords(status)],
    ['cause', spec.rollbackOf === undefined ? spec.cause : `${spec.cause} of ${spec.rollbackOf}`],
    ...moved.map((change): Fact => ['image', change]),
    ['nodes', countWords(status)],
    ...(halted === undefined ? [] : [['halted', `${halted.message} (since ${halted.at})`] as const]),
    ...(halted === undefined || halted.rules.length === 0
      ? []
      : [['kept out', `by ImageRule ${halted.rules.join(', ')}`] as const]),
    ...waitingFacts(rollout),
    ...(status.evidence ?? []).map(({ variant, summary }): Fact => ['evidence', `${variant}: ${summary}`]),
    ...(startedAt === undefined ? [] : [['started', startedAt] as const]),
    ...(endedAt === undefined ? [] : [['ended', endedAt] as const]),
    ...(nextChangeAt === undefined || isOver || waitsForPerson ? [] : [['next change', nextChangeAt] as const]),
    ...(expectedEnd === undefined || isOver ? [] : [['expected end', expectedEnd] as const]),
  ];
}

function printFacts(facts: readonly Fact[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}   ${value}`).join('\n');
}

function waitingFacts(rollout: NodeRollout): readonly Fact[] {
  return ['WaitingForApproval', 'Paused', 'WaitingForWindow'].flatMap((type): Fact[] => {
    const condition = conditionOf(rollout, type);
    return condition?.status === 'True'
      ? [['waits', `${condition.message ?? type} (since ${condition.lastTransitionTime})`]]
      : [];
  });
}

function wavesTable(waves: readonly RolloutWaveStatus[]): string {
  if (waves.length === 0) return '';
  const rows = waves.map((wave) => [
    wave.name,
    // A wave gets its seats when it begins.
    ...[wave.seats, wave.taken, wave.healthy, wave.failed].map((count) =>
      wave.startedAt === undefined ? '-' : String(count),
    ),
    wave.startedAt ?? '-',
    wave.soakedUntil ?? '-',
    wave.endedAt ?? '-',
    wave.outcome ?? '-',
  ]);
  const header = ['WAVE', 'SEATS', 'TAKEN', 'HEALTHY', 'FAILED', 'STARTED', 'SOAKED UNTIL', 'ENDED', 'OUTCOME'];
  return printTable(header, rows);
}

const mostShownSeats = 20;

/** The nodes that the wave waits for. Those whose seat is proven come last; those that failed have a table of their own. */
function newNodesTable(
  { seats = [], failures = [], endedAt }: NodeRolloutStatus,
  nodeNames: RolloutOutlook['nodeNames'] = new Map(),
): string {
  const failed = new Set(failures.map(({ node }) => node));
  const taken = seats.filter(({ member }) => member !== undefined && !failed.has(member));
  if (taken.length === 0 || endedAt !== undefined) return '';
  const ordered = [
    ...taken.filter(({ result }) => result === undefined),
    ...taken.filter(({ result }) => result !== undefined),
  ];
  const rows = ordered
    .slice(0, mostShownSeats)
    .map((seat) => [nameOfMember(seat, nodeNames), seat.variant, printedAge(seat.soakedSeconds), seatWords(seat)]);
  const table = printTable(['NEW NODE', 'VARIANT', 'SOAKED BEFORE', 'STATE'], rows);
  const more = taken.length - rows.length;
  return more === 0 ? table : `${table}\nand ${more} more; -o json prints all`;
}

/** As `kubectl get nodes` and `kubectl get nodeclaims` name it. */
function nameOfMember({ member = '-' }: RolloutSeat, nodeNames: RolloutOutlook['nodeNames']): string {
  const nodeName = nodeNames.get(member);
  return printMovedNode({ node: member, nodeName: nodeName === member ? undefined : nodeName });
}

/** Nodes that are on their way out. */
function letGoTable(rollout: NodeRollout, outlook: RolloutOutlook | undefined): string {
  const letGo = outlook === undefined ? [] : listAdmittedNodes(outlook, rollout);
  if (letGo.length === 0) return '';
  const rows = letGo.slice(0, mostShownSeats).map(({ node, since, standing }) => [node, since, standing]);
  const table = printTable(['NODE LET GO', 'SINCE', 'STATE'], rows);
  return letGo.length === rows.length
    ? table
    : `${table}\nand ${letGo.length - rows.length} more; nodewright explain rollout names all`;
}

function failuresTable({ failures = [] }: NodeRolloutStatus): string {
  if (failures.length === 0) return '';
  const rows = failures.map((failure) => [
    printFailedNode(failure),
    failure.variant,
    failure.signal,
    failure.at,
    failure.forgiven === true ? `${failure.evidence} (forgiven)` : failure.evidence,
  ]);
  return printTable(['FAILED NODE', 'VARIANT', 'SIGNAL', 'AT', 'EVIDENCE'], rows);
}

function parkedTable({ parked = [] }: NodeRolloutStatus): string {
  if (parked.length === 0) return '';
  const rows = parked.map((entry) => [
    printMovedNode(entry),
    entry.since,
    entry.pod ?? '-',
    entry.podDisruptionBudget ?? '-',
  ]);
  return printTable(['PARKED NODE', 'SINCE', 'POD', 'BUDGET'], rows);
}

function requestsTable({ log = [] }: NodeRolloutStatus): string {
  if (log.length === 0) return '';
  const rows = log.map(({ at, request, value, by, answer }) => [at, request, value, by, answer]);
  return printTable(['ASKED AT', 'REQUEST', 'VALUE', 'BY', 'ANSWER'], rows);
}

/** What a person can do now, where a person has to. */
function nextSteps(rollout: NodeRollout): string {
  const steps = listRolloutCommands(rollout).filter(({ isNeeded }) => isNeeded);
  const purposes = [...new Set(steps.map(({ purpose }) => purpose))];
  return purposes
    .flatMap((purpose) => [
      `${purpose}:`,
      ...steps.filter((step) => step.purpose === purpose).map(({ command }) => `  ${command}`),
    ])
    .join('\n');
}

import { conditionOf, type NodeRollout, type NodeRolloutStatus, type RolloutWaveStatus } from '@nodewright/apis';
import { printedAge } from '@nodewright/dashboard/rows';
import { countWords, imageChangeOf, listRolloutCommands, seatWords, stateWords } from '@nodewright/dashboard';
import { printFailedNode, printMovedNode } from '@nodewright/engine';
import { printTable } from '../../terminal/table.ts';

/** Where a rollout stands, for people: the answers to what, why, since when, and what next. */
export function printRollout(rollout: NodeRollout): string {
  const { status = {} } = rollout;
  const blocks = [
    printFacts(factsOfRollout(rollout)),
    wavesTable(status.waves ?? []),
    newNodesTable(status),
    failuresTable(status),
    parkedTable(status),
    requestsTable(status),
    nextSteps(rollout),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

type Fact = readonly [name: string, value: string];

function factsOfRollout(rollout: NodeRollout): readonly Fact[] {
  const { metadata, spec, status = {} } = rollout;
  const { halted, startedAt, endedAt, nextChangeAt, expectedEnd } = status;
  const moved = spec.to.flatMap((to) => imageChangeOf(to, spec.from));
  const isOver = endedAt !== undefined;
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
    ...(nextChangeAt === undefined || isOver ? [] : [['next change', nextChangeAt] as const]),
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
function newNodesTable({ seats = [], failures = [], endedAt }: NodeRolloutStatus): string {
  const failed = new Set(failures.map(({ node }) => node));
  const taken = seats.filter(({ member }) => member !== undefined && !failed.has(member));
  if (taken.length === 0 || endedAt !== undefined) return '';
  const ordered = [
    ...taken.filter(({ result }) => result === undefined),
    ...taken.filter(({ result }) => result !== undefined),
  ];
  const rows = ordered
    .slice(0, mostShownSeats)
    .map((seat) => [seat.member ?? '-', seat.variant, printedAge(seat.soakedSeconds), seatWords(seat)]);
  const table = printTable(['NEW NODE', 'VARIANT', 'SOAKED BEFORE', 'STATE'], rows);
  const more = taken.length - rows.length;
  return more === 0 ? table : `${table}\nand ${more} more; -o json prints all`;
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

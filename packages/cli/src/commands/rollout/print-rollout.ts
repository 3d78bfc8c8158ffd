import {
  conditionOf,
  type NodeRollout,
  type NodeRolloutStatus,
  type RolloutWaveStatus,
  type VariantImage,
} from '@nodewright/apis';
import { printTable } from '../../terminal/table.ts';

/** Where a rollout stands, for people: the answers to what, why, since when, and what next. */
export function printRollout(rollout: NodeRollout): string {
  const { status = {} } = rollout;
  const blocks = [
    printFacts(factsOfRollout(rollout)),
    wavesTable(status.waves ?? []),
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
  const moved = spec.to.flatMap((to) => changeOf(to, spec.from));
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

/** `Soaking, wave canary`. */
export const stateWords = ({ state = 'Pending', wave, endedAt }: NodeRolloutStatus): string =>
  wave === undefined || endedAt !== undefined ? state : `${state}, wave ${wave}`;

export const countWords = ({ updated = 0, total = 0, failed = 0, remaining = 0 }: NodeRolloutStatus): string =>
  `${updated} of ${total} updated, ${failed} failed, ${remaining} to go`;

/** Nothing for an image that stays. */
function changeOf(to: VariantImage, from: readonly VariantImage[]): readonly string[] {
  const before = from.find(({ source, variant }) => source === to.source && variant === to.variant);
  if (before?.image === to.image) return [];
  return [`${to.source}, ${to.variant}: ${before === undefined ? 'none' : imageWords(before)} -> ${imageWords(to)}`];
}

const imageWords = ({ image, release }: VariantImage): string =>
  release === undefined ? image : `${release} (${image})`;

/** The releases that a rollout leads to, or the images where they have none; without those that stay. */
export const targetWords = ({ spec }: NodeRollout): string => {
  const words = spec.to
    .filter((to) => changeOf(to, spec.from).length > 0)
    .map(({ release, image }) => release ?? image);
  return [...new Set(words)].join(',') || '-';
};

function waitingFacts(rollout: NodeRollout): readonly Fact[] {
  return ['WaitingForApproval', 'WaitingForWindow'].flatMap((type): Fact[] => {
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
    String(wave.seats),
    String(wave.taken),
    String(wave.healthy),
    String(wave.failed),
    wave.startedAt ?? '-',
    wave.soakedUntil ?? '-',
    wave.endedAt ?? '-',
    wave.outcome ?? '-',
  ]);
  const header = ['WAVE', 'SEATS', 'TAKEN', 'HEALTHY', 'FAILED', 'STARTED', 'SOAKED UNTIL', 'ENDED', 'OUTCOME'];
  return printTable(header, rows);
}

function failuresTable({ failures = [] }: NodeRolloutStatus): string {
  if (failures.length === 0) return '';
  const rows = failures.map(({ node, variant, signal, at, evidence, forgiven = false }) => [
    node,
    variant,
    signal,
    at,
    forgiven ? `${evidence} (forgiven)` : evidence,
  ]);
  return printTable(['FAILED NODE', 'VARIANT', 'SIGNAL', 'AT', 'EVIDENCE'], rows);
}

function parkedTable({ parked = [] }: NodeRolloutStatus): string {
  if (parked.length === 0) return '';
  const rows = parked.map(({ node, since, pod = '-', podDisruptionBudget = '-' }) => [
    node,
    since,
    pod,
    podDisruptionBudget,
  ]);
  return printTable(['PARKED NODE', 'SINCE', 'POD', 'BUDGET'], rows);
}

function requestsTable({ log = [] }: NodeRolloutStatus): string {
  if (log.length === 0) return '';
  const rows = log.map(({ at, request, value, by, answer }) => [at, request, value, by, answer]);
  return printTable(['ASKED AT', 'REQUEST', 'VALUE', 'BY', 'ANSWER'], rows);
}

/** What a person can do now. */
function nextSteps({ metadata: { name }, status = {} }: NodeRollout): string {
  const ask = (verb: string, rest = ''): string => `  nodewright rollout ${verb} ${name}${rest} --reason TEXT`;
  switch (status.state) {
    case 'Halted':
      return ['what leads on, beside a newer release:', ask('resume'), ask('rollback')].join('\n');
    case 'WaitingForApproval':
      return ['what it waits for:', ask('approve')].join('\n');
    default:
      return '';
  }
}

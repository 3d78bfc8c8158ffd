import {
  conditionOf,
  hours,
  inOrder,
  type Instant,
  type NodeRollout,
  type RolloutEvidence,
  type RolloutWaveStatus,
  seconds,
  toTimestamp,
  byNumberOf,
  byTextOf,
  inReverse,
} from '@nodewright/apis';
import {
  type CalendarState,
  comparisonNode,
  readCalendar,
  resolveRolloutSettings,
  type WaveForecast,
} from '@nodewright/engine';
import type { ClusterReading, RolloutOutlook } from '@nodewright/operator';
import { listRolloutCommands } from '../rollouts/rollout-commands.ts';
import { imageChangeOf, releaseChangeWords } from '../rollouts/rollout-words.ts';
import type { EvidenceComparison, RolloutRow, WaveRow } from '../rows/dashboard-rows.ts';

/** Rollouts that are kept of a policy are many; people look at the last ones. */
const mostEndedOfAPolicy = 3;

/** Rollouts under way, and the last ones of each policy: by policy, the newest first. */
export function viewRollouts(reading: ClusterReading, now: Instant): readonly RolloutRow[] {
  const { rollouts, policies } = reading.rolloutObjects;
  return policies.toSorted(byTextOf(({ metadata }) => metadata.name)).flatMap((policy) => {
    const { name } = policy.metadata;
    const own = rollouts.filter(({ spec }) => spec.policy === name).toSorted(newestRolloutFirst);
    const underWay = own.filter(({ status }) => status?.endedAt === undefined);
    const ended = own.filter(({ status }) => status?.endedAt !== undefined).slice(0, mostEndedOfAPolicy);
    const outlook = reading.rollouts.find((each) => each.policy === name);
    const calendar = readCalendar(resolveRolloutSettings(policy.spec), now);
    return [...underWay, ...ended].map((rollout) => viewRolloutRow(rollout, { outlook, calendar }));
  });
}

const newestRolloutFirst = inOrder<NodeRollout>(
  inReverse(byNumberOf(({ spec }) => spec.number)),
  byTextOf(({ metadata }) => metadata.name),
);

type RolloutSurroundings = { readonly outlook: RolloutOutlook | undefined; readonly calendar: CalendarState };

function viewRolloutRow(rollout: NodeRollout, { outlook, calendar }: RolloutSurroundings): RolloutRow {
  const { metadata, spec, status = {} } = rollout;
  const { state = 'Pending', wave, startedAt, endedAt, nextChangeAt, expectedEnd, halted } = status;
  const isUnderWay = endedAt === undefined;
  return {
    id: metadata.name,
    policy: spec.policy,
    number: spec.number,
    state,
    ...(wave === undefined || !isUnderWay ? {} : { wave }),
    cause: spec.rollbackOf === undefined ? spec.cause : `${spec.cause} of ${spec.rollbackOf}`,
    change: releaseChangeWords(spec),
    images: spec.to.flatMap((to) => imageChangeOf(to, spec.from)),
    total: status.total ?? 0,
    updated: status.updated ?? 0,
    ...(status.ready === undefined ? {} : { ready: status.ready }),
    failed: status.failed ?? 0,
    remaining: status.remaining ?? 0,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(isUnderWay && expectedEnd !== undefined ? { expectedEnd } : {}),
    ...(isUnderWay && nextChangeAt !== undefined ? { nextChangeAt } : {}),
    ...(halted === undefined ? {} : { halted: `${halted.message} (since ${halted.at})` }),
    waits: listRolloutWaits(rollout),
    ...(isUnderWay ? { window: describeCalendar(calendar) } : {}),
    waves: viewWaves(status.waves ?? [], isUnderWay ? (outlook?.waves ?? []) : []),
    evidence: (status.evidence ?? []).map(compareEvidence),
    failures: (status.failures ?? []).map((failure) => ({
      ...(failure.node !== comparisonNode && { node: failure.nodeName ?? failure.node }),
      ...(failure.nodeName !== undefined && { claim: failure.node }),
      at: failure.at,
      evidence: `${failure.signal}: ${failure.evidence}`,
    })),
    requests: (status.log ?? []).map(({ at, request, by, answer }) => ({ at, request, by, answer })),
    commands: listRolloutCommands(rollout).map(({ purpose, command, isNeeded }) => ({
      purpose,
      command,
      ...(isNeeded ? { isNeeded } : {}),
    })),
  };
}

function listRolloutWaits(rollout: NodeRollout): RolloutRow['waits'] {
  return ['WaitingForApproval', 'Paused', 'WaitingForWindow', 'Stalled'].flatMap((type) => {
    const condition = conditionOf(rollout, type);
    if (condition?.status !== 'True') return [];
    const { message = type, lastTransitionTime: since } = condition;
    if (message === rollout.status?.halted?.message) return [];
    return [{ message, ...(since === undefined ? {} : { since }) }];
  });
}

function describeCalendar(calendar: CalendarState): NonNullable<RolloutRow['window']> {
  const withChange = (message: string, isOpen: boolean, at: Instant | undefined) => ({
    message,
    isOpen,
    ...(at === undefined ? {} : { changesAt: toTimestamp(at) }),
  });
  switch (calendar.kind) {
    case 'open':
      return withChange('replacements may begin', true, calendar.until);
    case 'outsideWindow':
      return withChange('no window is open', false, calendar.opensAt);
    case 'blackout':
      return withChange(`blackout: ${calendar.reason}`, false, calendar.endsAt);
    case 'unreadable':
      return withChange(calendar.message, false, undefined);
  }
}

/** Waves that have begun as they are stored, and those to come as they are foreseen. */
function viewWaves(known: readonly RolloutWaveStatus[], foreseen: readonly WaveForecast[]): readonly WaveRow[] {
  const forecasts = new Map(foreseen.map((wave) => [wave.name, wave]));
  const names = [...new Set([...known.map(({ name }) => name), ...forecasts.keys()])];
  return names.map((name) => {
    const foreseen = forecasts.get(name);
    const { seats, ...stored } = known.find((wave) => wave.name === name) ?? { name, taken: 0, healthy: 0, failed: 0 };
    // How many nodes a wave takes is counted when it begins.
    const isCounted = 'startedAt' in stored && stored.startedAt !== undefined;
    return { ...writeForecast(foreseen), ...stored, seats: isCounted ? (seats ?? 0) : (foreseen?.seats ?? seats ?? 0) };
  });
}

function writeForecast(wave: WaveForecast | undefined) {
  const { needsApproval, earliestStart, earliestEnd, state } = wave ?? {};
  return {
    ...(needsApproval === true && state === 'toCome' ? { needsApproval } : {}),
    ...(earliestStart === undefined ? {} : { earliestStart: toTimestamp(earliestStart) }),
    ...(earliestEnd === undefined ? {} : { earliestEnd: toTimestamp(earliestEnd) }),
  };
}

function compareEvidence({ variant, summary, members, peers }: RolloutEvidence): EvidenceComparison {
  return {
    variant,
    summary,
    signals: [
      {
        name: 'failed starts',
        unit: '%',
        members: percentOf(members.failedStarts, members.starts),
        peers: percentOf(peers.failedStarts, peers.starts),
      },
      {
        name: 'pods not Ready in time',
        unit: '%',
        members: percentOf(members.unreadyPods, members.duePods),
        peers: percentOf(peers.unreadyPods, peers.duePods),
      },
      {
        name: 'restarted pods in 100 pod-hours',
        unit: '',
        members: percentOf(members.restartedPods, members.podSeconds / secondsOfHour),
        peers: percentOf(peers.restartedPods, peers.podSeconds / secondsOfHour),
      },
    ],
  };
}

const secondsOfHour = hours(1) / seconds(1);

/** To a tenth; 0 where nothing was observed. */
const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10);

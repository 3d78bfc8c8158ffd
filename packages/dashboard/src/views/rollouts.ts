import {
  hours,
  inOrder,
  type Instant,
  type NodeRollout,
  type ParkedNode,
  type RolloutEvidence,
  seconds,
  byNumberOf,
  byTextOf,
  inReverse,
} from '@nodewright/apis';
import { comparisonNode, printDrainKeeper, resolveRolloutSettings } from '@nodewright/engine';
import type { ClusterReading, RolloutOutlook } from '@nodewright/operator';
import { listRolloutCommands } from '../rollouts/rollout-commands.ts';
import { listRolloutWaits, readWindowRow } from '../rollouts/rollout-waits.ts';
import { listImageChanges, releaseChangeWords } from '../rollouts/rollout-words.ts';
import { viewWaves } from '../rollouts/wave-rows.ts';
import type { EvidenceComparison, ParkedNodeRow, RolloutRow } from '../rows/dashboard-rows.ts';

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
    const window = readWindowRow(resolveRolloutSettings(policy.spec), now);
    return [...underWay, ...ended].map((rollout) => viewRolloutRow(rollout, { outlook, window }));
  });
}

const newestRolloutFirst = inOrder<NodeRollout>(
  inReverse(byNumberOf(({ spec }) => spec.number)),
  byTextOf(({ metadata }) => metadata.name),
);

type RolloutSurroundings = {
  readonly outlook: RolloutOutlook | undefined;
  readonly window: NonNullable<RolloutRow['window']>;
};

function viewRolloutRow(rollout: NodeRollout, { outlook, window }: RolloutSurroundings): RolloutRow {
  const { metadata, spec, status = {} } = rollout;
  const { state = 'Pending', wave, startedAt, endedAt, nextChangeAt, expectedEnd, halted } = status;
  const isUnderWay = endedAt === undefined;
  // Time alone changes nothing for a person about one that has halted.
  const goesOn = isUnderWay && halted === undefined;
  return {
    id: metadata.name,
    policy: spec.policy,
    number: spec.number,
    state,
    ...(wave === undefined || !isUnderWay ? {} : { wave }),
    cause: spec.rollbackOf === undefined ? spec.cause : `${spec.cause} of ${spec.rollbackOf}`,
    change: releaseChangeWords(spec),
    images: [...listImageChanges(spec)],
    total: status.total ?? 0,
    updated: status.updated ?? 0,
    ...(status.ready === undefined ? {} : { ready: status.ready }),
    failed: status.failed ?? 0,
    remaining: status.remaining ?? 0,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(isUnderWay && expectedEnd !== undefined ? { expectedEnd } : {}),
    ...(goesOn && nextChangeAt !== undefined ? { nextChangeAt } : {}),
    ...(halted === undefined ? {} : { halted: `${halted.message} (since ${halted.at})` }),
    waits: listRolloutWaits(rollout),
    ...(goesOn ? { window } : {}),
    waves: viewWaves(status, outlook),
    evidence: (status.evidence ?? []).map(compareEvidence),
    failures: (status.failures ?? []).map((failure) => ({
      ...(failure.node !== comparisonNode && { node: failure.nodeName ?? failure.node }),
      ...(failure.nodeName !== undefined && { claim: failure.node }),
      at: failure.at,
      evidence: `${failure.signal}: ${failure.evidence}`,
    })),
    ...(isUnderWay && status.parked !== undefined ? { parked: status.parked.map(viewParkedNode) } : {}),
    requests: (status.log ?? []).map(({ at, request, value, by, answer }) => ({ at, request, value, by, answer })),
    commands: listRolloutCommands(rollout).map(({ purpose, command, isNeeded }) => ({
      purpose,
      command,
      ...(isNeeded ? { isNeeded } : {}),
    })),
    explain: `rollout/${metadata.name}`,
  };
}

const viewParkedNode = (parked: ParkedNode): ParkedNodeRow => ({
  node: parked.nodeName ?? parked.node,
  ...(parked.nodeName === undefined ? {} : { claim: parked.node }),
  since: parked.since,
  message: printDrainKeeper(parked),
  ...(parked.podDisruptionBudget === undefined ? {} : { budget: parked.podDisruptionBudget }),
});

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

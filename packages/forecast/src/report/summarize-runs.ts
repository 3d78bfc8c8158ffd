import {
  byText,
  byTextOf,
  hours,
  inOrder,
  instant,
  type Instant,
  seconds,
  toTimestamp,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import type { ForecastQuestion } from '../run/run-forecast.ts';
import { countLeftNodes, type FleetMoment, isLeft, type RunNode, type RunRecord } from '../run/run-record.ts';
import type { ForecastNode, ForecastReport, ForecastSummary, ForecastWorkload } from './forecast-report.ts';
import { foreseeRange } from './foreseen-range.ts';
import { listAssumptions } from './list-assumptions.ts';

/** Puts the runs together. Details are those of the first run, ranges those of all. */
export function summarizeRuns(
  { snapshot, change }: Pick<ForecastQuestion, 'snapshot' | 'change'>,
  runs: readonly [RunRecord, ...RunRecord[]],
): ForecastReport {
  const [first] = runs;
  const { manifests, releases, kubernetesVersion, groupUpdates = [] } = change;
  return {
    clusterName: snapshot.clusterName,
    takenAt: snapshot.takenAt,
    at: toTimestamp(first.at),
    until: toTimestamp(first.until),
    change: {
      manifests: manifests.map(({ kind = '', metadata }) => `${kind} ${metadata.name}`),
      releases,
      ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
      ...(groupUpdates.length === 0 ? {} : { groupUpdates }),
    },
    runs: runs.length,
    summary: summarizeRecords(runs),
    nodes: describeNodesOf(first).toSorted(nodeOrder),
    workloads: mergeWorkloads(runs),
    services: first.services.filter(({ secondsWithoutEndpoint }) => secondsWithoutEndpoint > 0),
    rollouts: first.rollouts,
    fleet: first.fleet.map(({ at, ...moment }) => ({ at: toTimestamp(at), ...moment })),
    assumptions: listAssumptions(snapshot, manifests),
  };
}

/** In the order in which they begin; those that stay are the last. */
const nodeOrder = inOrder<ForecastNode>(
  byTextOf(({ begins }) => begins ?? '~'),
  byTextOf(({ node }) => node),
);

/** Of the nodes that were there: it left, or was chosen to. */
export const goesInRun = ({ isFromBefore, leavesAt, chosenAt }: RunNode): boolean =>
  isFromBefore && (leavesAt !== undefined || chosenAt !== undefined);

const beginOf = ({ chosenAt, leavesAt }: RunNode): Instant | undefined => chosenAt ?? leavesAt;

/** When the last node was gone; `undefined` while some are left. */
export function endOfRun(run: RunRecord): Instant | undefined {
  const { nodes } = run;
  if (countLeftNodes(run) > 0) return undefined;
  const gone = nodes.filter(goesInRun).flatMap(({ goneAt }) => goneAt ?? []);
  return gone.length === 0 ? undefined : instant(Math.max(...gone));
}

function summarizeRecords(runs: readonly [RunRecord, ...RunRecord[]]): ForecastSummary {
  const [first] = runs;
  const gone = (runs.find(({ nodes }) => nodes.some(goesInRun)) ?? first).nodes.filter(goesInRun);
  const begins = runs.flatMap(({ nodes }) => nodes.filter(goesInRun).flatMap((node) => beginOf(node) ?? []));
  const replaced = runs.map(({ nodes }) => nodes.filter(goesInRun).length);
  const peaks = runs.map(surgeOf);
  const [opening, closing] = [first.fleet[0], first.fleet.at(-1)];
  return {
    nodesBefore: first.nodes.filter(({ isFromBefore }) => isFromBefore).length,
    nodesReplaced: first.nodes.filter(goesInRun).length,
    nodesReplacedInRuns: { least: Math.min(...replaced), most: Math.max(...replaced) },
    reasons: countReasons(gone),
    ...(begins.length === 0 ? {} : { begins: toTimestamp(instant(Math.min(...begins))) }),
    ...foreseeEnd(runs, Math.min(first.until, ...begins)),
    surge: {
      nodes: Math.max(...peaks.map(({ nodes }) => nodes)),
      vcpus: Math.max(...peaks.map(({ vcpus }) => vcpus)),
      usdPerHour: formatUsd(Math.max(...peaks.map(({ microUsdPerHour }) => microUsdPerHour))),
    },
    usdPerHourBefore: formatUsd(opening?.microUsdPerHour ?? 0),
    usdPerHourAfter: formatUsd(closing?.microUsdPerHour ?? 0),
    usdExtra: formatUsd(extraCost(first)),
    evictions: first.evictions.length,
    blocked: Math.max(...runs.map(countLeftNodes)),
    unschedulable: uniqueOf(runs, ({ unschedulable }) => unschedulable.map(({ pod }) => pod)),
    waitsForPerson: describeWaits(runs),
    unchangedHashes:
      gone.length > 0
        ? []
        : first.hashes
            .filter(({ before, after }) => before === after)
            .map(({ about, after }) => `${about} keeps the hash ${after}`),
  };
}

/** Between which instants the last node is gone, in whole seconds. */
function foreseeEnd(runs: readonly [RunRecord, ...RunRecord[]], from: number): Pick<ForecastSummary, 'ends'> {
  const ends = runs.flatMap((run) => endOfRun(run) ?? []);
  if (ends.length === 0) return {};
  const { least, most } = foreseeRange(ends, { from, to: runs[0].until });
  const second = (value: number): string => toTimestamp(instant(value * seconds(1)));
  return {
    ends: { least: second(Math.floor(least / 1000)), most: second(Math.ceil(most / 1000)), runs: ends.length },
  };
}

/** What is so in any of the runs, in order. */
const uniqueOf = (runs: readonly RunRecord[], read: (run: RunRecord) => readonly string[]): readonly string[] =>
  [...new Set(runs.flatMap(read))].toSorted(byText);

/** One sentence for each rollout and group, in the words of the first run in which it waits. */
function describeWaits(runs: readonly RunRecord[]): readonly string[] {
  const waits = new Map<string, string>();
  const tell = (about: string, says: string): void => void (waits.has(about) || waits.set(about, says));
  for (const { rollouts, groups } of runs) {
    for (const { name, waitsFor, haltedBecause } of rollouts) {
      if (waitsFor !== undefined) tell(`approve ${name}`, `NodeRollout ${name} waits for approval: ${waitsFor}`);
      if (haltedBecause !== undefined) tell(`halt ${name}`, `NodeRollout ${name} is halted: ${haltedBecause}`);
    }
    for (const { group, phase, reason } of groups)
      if (phase === 'Blocked' || phase === 'Failed') tell(group, `node group ${group} is ${phase}: ${reason}`);
  }
  return [...waits.values()];
}

function countReasons(gone: readonly RunNode[]): ForecastSummary['reasons'] {
  const counts = new Map<string, number>();
  for (const { reason = '' } of gone) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].toSorted(byTextOf(([reason]) => reason)).map(([reason, nodes]) => ({ reason, nodes }));
}

/** How much more there was than at the beginning, at most. */
export function surgeOf({ fleet }: RunRecord): Omit<FleetMoment, 'at'> {
  const [opening] = fleet;
  const most = (read: (moment: FleetMoment) => number): number =>
    opening === undefined ? 0 : Math.max(...fleet.map(read)) - read(opening);
  return {
    nodes: most(({ nodes }) => nodes),
    vcpus: most(({ vcpus }) => vcpus),
    microUsdPerHour: most(({ microUsdPerHour }) => microUsdPerHour),
  };
}

/** In millionths of a dollar: what was paid above the price of the beginning or of the end, whichever is more. */
function extraCost({ fleet, until }: RunRecord): number {
  const usual = Math.max(fleet[0]?.microUsdPerHour ?? 0, fleet.at(-1)?.microUsdPerHour ?? 0);
  return fleet.reduce((sum, { at, microUsdPerHour }, index) => {
    const next = fleet[index + 1]?.at ?? until;
    return sum + (Math.max(0, microUsdPerHour - usual) * (next - at)) / hours(1);
  }, 0);
}

/** A decimal of dollars with four places. */
export const formatUsd = (microUsd: number): string => (microUsd / 1_000_000).toFixed(4);

/** Those that were there, each with a replacement of its own, in the order in which they begin. */
function describeNodesOf(run: RunRecord): readonly ForecastNode[] {
  const taken = new Set<string>();
  return run.nodes
    .filter(({ isFromBefore }) => isFromBefore)
    .toSorted(byNumberOf((each) => beginOf(each) ?? Infinity))
    .map((node) => {
      const replacement = goesInRun(node) ? findReplacement(node, run.nodes, taken) : undefined;
      if (replacement !== undefined) taken.add(replacement.claim);
      return describeNode(node, replacement, run);
    });
}

function describeNode(node: RunNode, replacement: RunNode | undefined, { evictions }: RunRecord): ForecastNode {
  const begins = beginOf(node);
  const name = node.node ?? node.claim;
  return {
    node: name,
    nodePool: node.nodePool,
    ...(node.nodeGroup === undefined ? {} : { nodeGroup: node.nodeGroup }),
    instanceType: node.instanceType ?? '',
    ...(node.reason === undefined ? {} : { reason: node.reason }),
    ...(begins === undefined ? {} : { begins: toTimestamp(begins) }),
    ...(node.goneAt === undefined ? {} : { gone: toTimestamp(node.goneAt) }),
    ...(replacement === undefined
      ? {}
      : { replacedBy: `${replacement.instanceType ?? ''} ${replacement.node ?? replacement.claim}` }),
    podsEvicted: evictions.filter(({ from }) => from === name).length,
    ...(isLeft(node) ? { heldBy: node.heldBy ?? 'budgets, windows or waves: its turn has not come' } : {}),
  };
}

/**
 * The node that its command launched for it. Of a node that leaves without a command, the first new node of its pool or group
 * from the instant at which it was chosen, that is no other's.
 */
function findReplacement(
  { nodePool, nodeGroup, chosenAt, leavesAt, command }: RunNode,
  nodes: readonly RunNode[],
  taken: ReadonlySet<string>,
): RunNode | undefined {
  if (command !== undefined) return nodes.find(({ launchedBy, claim }) => launchedBy === command && !taken.has(claim));
  // A group grows before the first of its nodes is chosen.
  const from = nodeGroup === undefined ? (chosenAt ?? leavesAt ?? 0) - launchLeadMs : 0;
  return nodes.find(
    (other) =>
      !other.isFromBefore &&
      other.launchedBy === undefined &&
      other.nodePool === nodePool &&
      other.nodeGroup === nodeGroup &&
      other.createdAt >= from &&
      !taken.has(other.claim),
  );
}

/** A claim is made a moment before the condition that tells of its reason. */
const launchLeadMs = seconds(1);

/** Evictions of the first run, and the worst of all runs. */
function mergeWorkloads([first, ...further]: readonly [RunRecord, ...RunRecord[]]): readonly ForecastWorkload[] {
  return first.workloads
    .map((each) => {
      const same = [
        each,
        ...further.flatMap(({ workloads }) => workloads.filter(({ workload }) => workload === each.workload)),
      ];
      return {
        ...each,
        leastReady: Math.min(...same.map(({ leastReady }) => leastReady)),
        secondsBelow: Math.max(...same.map(({ secondsBelow }) => secondsBelow)),
        secondsWithoutReady: Math.max(...same.map(({ secondsWithoutReady }) => secondsWithoutReady)),
        evictions: first.evictions.filter(({ workload }) => workload === each.workload).length,
      };
    })
    .filter((each) => each.evictions + each.secondsBelow + each.secondsWithoutReady > 0)
    .toSorted(
      inOrder(
        inReverse(byNumberOf(({ evictions }) => evictions)),
        byTextOf(({ workload }) => workload),
      ),
    );
}

import { formatDuration, readOwn } from '@nodewright/apis';
import type { DriftReason } from '@nodewright/engine';
import type { ForecastReport, ForecastSummary } from '@nodewright/forecast';

/** The answer in a dozen lines: how many nodes, why, when, what stands in the way, what fails meanwhile, at what price. */
export const summaryLines = (report: ForecastReport): readonly string[] => [
  describeNodes(report),
  ...describeTimes(report),
  ...describeWaves(report),
  ...describeObstacles(report),
  ...describeOutages(report),
  ...describeMoney(report.summary),
  ...describeEvictions(report),
];

function describeNodes({ summary, fleet, change }: ForecastReport): string {
  const { nodesBefore, nodesReplacedInRuns: replaced, reasons, unchangedHashes } = summary;
  if (replaced.most === 0) {
    const hashes = change.manifests.length === 0 ? [] : unchangedHashes.slice(0, mostHashes);
    return [`none of ${nodesBefore} nodes goes`, ...hashes].join('; ');
  }
  const why = reasons.map(({ reason, nodes: count }) => `${count} ${reason}${explainReason(reason)}`).join(', ');
  return `${printCounts(replaced)} of ${nodesBefore} nodes go: ${why}; ${printNodes(fleet.at(-1)?.nodes ?? 0)} at the end`;
}

/** `7`, or `6 to 7` where the runs differ. */
const printCounts = ({ least, most }: { readonly least: number; readonly most: number }): string =>
  least === most ? String(most) : `${least} to ${most}`;

const mostHashes = 4;

const driftInWords: Readonly<Record<DriftReason, string>> = {
  AMIDrift: 'another image is wanted',
  NodeClassDrift: 'their EC2NodeClass changed',
  NodePoolDrifted: 'their NodePool changed',
  RequirementsDrifted: 'requirements of their NodePool changed',
  InstanceTypeNotFound: 'their instance type is not on offer any more',
  SubnetDrift: 'their subnet is not wanted any more',
  SecurityGroupDrift: 'other security groups are wanted',
  CapacityReservationDrift: 'their capacity reservation is not selected any more',
  PlacementGroupDrift: 'another placement group is wanted',
};

const reasonsInWords: Readonly<Record<string, string>> = {
  ...driftInWords,
  Expired: 'they are too old',
  Underutilized: 'their pods fit elsewhere or on cheaper nodes',
  Empty: 'they run no pods',
  NodeGroupUpdate: 'update of their node group',
};

function explainReason(reason: string): string {
  const words = readOwn(reasonsInWords, reason);
  return words === undefined ? '' : ` (${words})`;
}

function describeTimes({
  summary: { begins, ends, nodesReplacedInRuns },
  runs,
  until,
}: ForecastReport): readonly string[] {
  if (nodesReplacedInRuns.most === 0) return [];
  const from = `begins ${begins ?? ''}`;
  if (ends === undefined) return [`${from}, not done by ${until} in any of ${runs} runs`];
  const isCertain = ends.least === ends.most;
  const when = isCertain ? ends.least : `${ends.least} to ${ends.most}, 95 times out of 100`;
  const lasts = formatDuration(Date.parse(ends.most) - Date.parse(begins ?? ends.most));
  const late = runs - ends.runs;
  return [
    `${from}, done ${when}, after ${lasts}${isCertain ? '' : ' at most'}`,
    ...(late === 0 ? [] : [`not done by ${until} in ${late} of ${runs} runs`]),
  ];
}

const describeWaves = ({ rollouts }: ForecastReport): readonly string[] =>
  rollouts.flatMap(({ name, state, waves, expectedEnd, nodesLeft }) => [
    [
      `rollout ${name}: ${state}`,
      ...(nodesLeft > 0 ? [`${nodesLeft} nodes still to go`] : []),
      ...(expectedEnd === undefined ? [] : [`ends ${expectedEnd} at the earliest`]),
    ].join(', '),
    ...waves.map((wave) => `  wave ${wave.name}: ${describeWaveTimes(wave)}`),
  ]);

function describeWaveTimes({ startedAt, endedAt }: ForecastReport['rollouts'][number]['waves'][number]): string {
  if (startedAt === undefined) return 'not begun';
  return endedAt === undefined ? `since ${startedAt}, not over` : `${startedAt} to ${endedAt}`;
}

function describeObstacles({ summary, nodes, until }: ForecastReport): readonly string[] {
  const held = nodes.flatMap(({ node, heldBy }) => (heldBy === undefined ? [] : [`  ${node}: ${heldBy}`]));
  const { unschedulable, waitsForPerson } = summary;
  return [
    summary.blocked === 0 ? 'left at the end: none' : `left at the end (${until}): ${printNodes(summary.blocked)}`,
    ...held.slice(0, mostSummarized),
    ...andMore(held),
    ...(unschedulable.length === 0 ? [] : [`pods without a place at the end: ${unschedulable.join(', ')}`]),
    waitsForPerson.length === 0 ? 'waits for a person: nothing' : `waits for a person: ${waitsForPerson.join('; ')}`,
  ];
}

const printNodes = (count: number): string => `${count} ${count === 1 ? 'node' : 'nodes'}`;

const mostSummarized = 5;

const andMore = (lines: readonly string[]): readonly string[] =>
  lines.length > mostSummarized ? [`  and ${lines.length - mostSummarized} more`] : [];

/** Workloads that are unavailable for a while are listed whether a budget forbids it or not. */
function describeOutages({ workloads, services }: ForecastReport): readonly string[] {
  const lines = [
    ...workloads
      .filter(({ secondsWithoutReady }) => secondsWithoutReady > 0)
      .map(
        ({ workload, readyBefore, secondsWithoutReady }) =>
          `  ${workload}: none of ${readyBefore} pods ready for ${formatDuration(secondsWithoutReady * 1000)}`,
      ),
    ...services.map(
      ({ service, secondsWithoutEndpoint }) =>
        `  service ${service}: no ready endpoint for ${formatDuration(secondsWithoutEndpoint * 1000)}`,
    ),
  ];
  if (lines.length === 0) return ['out of service meanwhile: none'];
  return ['out of service meanwhile:', ...lines.slice(0, mostSummarized), ...andMore(lines)];
}

function describeMoney({ surge, usdPerHourBefore, usdPerHourAfter, usdExtra }: ForecastSummary): readonly string[] {
  const more =
    surge.nodes + surge.vcpus === 0
      ? 'surge: none'
      : `surge: at most ${printNodes(surge.nodes)}, ${surge.vcpus} vCPU and $${surge.usdPerHour} an hour more than at the beginning`;
  return [more, `price: $${usdPerHourBefore} an hour before, $${usdPerHourAfter} after, $${usdExtra} for the surge`];
}

function describeEvictions({ workloads, summary: { evictions } }: ForecastReport): readonly string[] {
  if (evictions === 0) return ['evictions: none'];
  const each = workloads.map(
    ({ workload, evictions: count, leastReady, readyBefore, secondsBelow }) =>
      `  ${workload}: ${count} (at least ${leastReady} of ${readyBefore} ready${secondsBelow === 0 ? '' : `, ${secondsBelow} s below its budget`})`,
  );
  return [`evictions: ${evictions}`, ...each.slice(0, mostSummarized), ...andMore(each)];
}

export const printHeadline = ({ clusterName, at, until, change, runs }: ForecastReport): string => {
  const parts = [
    ...change.manifests,
    ...change.releases.map(
      ({ family, version, behavior }) =>
        `release ${family} ${version}${behavior === undefined ? '' : ` (${behavior})`}`,
    ),
    ...(change.groupUpdates ?? []).map(
      ({ group, release }) => `node group ${group} to ${release ?? 'the recommended release'}`,
    ),
    ...(change.kubernetesVersion === undefined ? [] : [`control plane to ${change.kubernetesVersion}`]),
  ];
  const what = parts.length === 0 ? 'no change' : parts.join(', ');
  return `${clusterName}: ${what} at ${at}, followed until ${until}, ${runs} ${runs === 1 ? 'run' : 'runs'}`;
};

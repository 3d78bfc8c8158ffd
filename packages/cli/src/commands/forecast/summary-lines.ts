import type { ForecastReport, ForecastSummary } from '@nodewright/forecast';

/** The answer in a dozen lines: how many nodes, why, when, at what price, and what stands in the way. */
export const summaryLines = (report: ForecastReport): readonly string[] => [
  describeNodes(report),
  ...describeTimes(report),
  ...describeWaves(report),
  ...describeSurge(report.summary),
  describeEvictions(report),
  ...report.services.map(
    ({ service, secondsWithoutEndpoint }) => `service ${service} has no ready endpoint for ${secondsWithoutEndpoint} s`,
  ),
  ...describeObstacles(report),
];

function describeNodes({ summary }: ForecastReport): string {
  const { nodesBefore, nodesReplaced, reasons, unchangedHashes } = summary;
  if (nodesReplaced === 0)
    return [`none of ${nodesBefore} nodes goes`, ...unchangedHashes.slice(0, mostHashes)].join('; ');
  const why = reasons.map(({ reason, nodes }) => `${nodes} ${reason}`).join(', ');
  return `${nodesReplaced} of ${nodesBefore} nodes go: ${why}`;
}

const mostHashes = 4;

function describeTimes({ summary: { begins, ends, nodesReplaced }, runs, until }: ForecastReport): readonly string[] {
  if (nodesReplaced === 0) return [];
  const from = `begins ${begins ?? ''}`;
  if (ends === undefined) return [`${from}, not done by ${until} in any of ${runs} runs`];
  const when = ends.least === ends.most ? ends.least : `${ends.least} to ${ends.most}`;
  return [`${from}, done ${when} in ${ends.runs} of ${runs} runs`];
}

const describeWaves = ({ rollouts }: ForecastReport): readonly string[] =>
  rollouts.flatMap(({ name, state, waves, expectedEnd }) => [
    `rollout ${name}: ${state}${expectedEnd === undefined ? '' : `, expected to end ${expectedEnd}`}`,
    ...waves.map((wave) => `  wave ${wave.name}: ${wave.startedAt ?? 'not begun'} to ${wave.endedAt ?? 'open'}`),
  ]);

function describeSurge({ surge, usdPerHourBefore, usdPerHourAfter, usdExtra }: ForecastSummary): readonly string[] {
  return [
    `surge: at most ${surge.nodes} nodes, ${surge.vcpus} vCPU and $${surge.usdPerHour} an hour more than at the beginning`,
    `price: $${usdPerHourBefore} an hour before, $${usdPerHourAfter} after, $${usdExtra} for the surge`,
  ];
}

function describeEvictions({ workloads, summary: { evictions } }: ForecastReport): string {
  if (evictions === 0) return 'evictions: none';
  const each = workloads.map(
    ({ workload, evictions: count, leastReady, readyBefore, secondsBelow }) =>
      `${workload} ${count} (at least ${leastReady} of ${readyBefore} ready${secondsBelow === 0 ? '' : `, ${secondsBelow} s below its budget`})`,
  );
  return `evictions: ${evictions}: ${each.join(', ')}`;
}

function describeObstacles({ summary, nodes }: ForecastReport): readonly string[] {
  const held = nodes.flatMap(({ node, heldBy }) => (heldBy === undefined ? [] : [`  ${node}: ${heldBy}`]));
  const { unschedulable, waitsForPerson } = summary;
  return [
    summary.blocked === 0 ? 'left at the end: none' : `left at the end: ${summary.blocked} nodes`,
    ...held.slice(0, mostHeld),
    ...(held.length > mostHeld ? [`  and ${held.length - mostHeld} more`] : []),
    ...(unschedulable.length === 0 ? [] : [`without a place at the end: ${unschedulable.join(', ')}`]),
    waitsForPerson.length === 0 ? 'waits for a person: nothing' : `waits for a person: ${waitsForPerson.join('; ')}`,
  ];
}

const mostHeld = 5;

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

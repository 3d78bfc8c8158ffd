import { absentMetrics } from './karpenter-metrics.ts';
import type { DefinedMetric } from './operator-metrics.ts';

/** Groups of metrics by the beginning of their names; the first that fits counts. */
const metricGroups: readonly (readonly [prefix: string, title: string])[] = [
  ['karpenter_cloudprovider_', 'Calls to AWS and instance types'],
  ['karpenter_cluster_', 'The state of the cluster'],
  ['karpenter_consolidation_', 'Consolidation'],
  ['karpenter_ec2nodeclasses_', 'EC2NodeClasses'],
  ['karpenter_interruption_', 'Interruptions'],
  ['karpenter_nodeclaims_', 'NodeClaims'],
  ['karpenter_nodepools_', 'NodePools'],
  ['karpenter_nodes_', 'Nodes'],
  ['karpenter_pods_', 'Pods'],
  ['karpenter_scheduler_', 'Scheduling'],
  ['karpenter_voluntary_disruption_', 'Disruption'],
  ['nodewright_', 'Rollouts of Nodewright'],
  ['operator_', 'Conditions of objects'],
  ['', 'Controllers'],
];

/** `docs/metrics.md`: every metric with its kind, its labels and what it says. */
export function printMetricsPage(metrics: readonly DefinedMetric[]): string {
  const groupOf = ({ name }: DefinedMetric): string =>
    metricGroups.find(([prefix]) => name.startsWith(prefix))?.[1] ?? '';
  const sections = metricGroups.flatMap(([, title]) => {
    const lines = metrics.filter((metric) => groupOf(metric) === title).map(printMetric);
    return lines.length === 0 ? [] : [`## ${title}\n\n${lines.join('\n')}\n`];
  });
  return [introduction, ...sections, printAbsentMetrics()].join('\n');
}

const introduction = `# Metrics

\`/metrics\` of the controller has these metrics; the port is \`METRICS_PORT\` [8080]. Names and labels that begin with
\`karpenter_\` or \`operator_\` are Karpenter's. The page is made from the code: \`npm run metrics-page\` writes it, and a test
compares it. Durations are in seconds, processors in cores, prices in US dollars per hour. Alert rules and dashboards are in
[examples/monitoring](../examples/monitoring).

"Labels of nodes" are the names of the well-known labels without their prefix, in snake case: \`nodepool\`, \`zone\`,
\`capacity_type\`, \`instance_type\`, \`instance_category\` and the others. \`karpenter_build_info\` is always 1 and has the build in
its labels \`version\`, \`goversion\`, \`goarch\` and \`commit\`; \`leader_election_master_status\` (\`name\`) is 1 in the process that
leads. CapacityBuffers and NodeOverlays have counters of changed conditions and histograms of ended objects, too
(\`operator_KIND_status_condition_transitions_total\`, \`_transition_seconds\`, \`operator_KIND_termination_duration_seconds\`), once
something has changed or ended.
`;

function printMetric({ name, kind, help, labels }: DefinedMetric): string {
  const isOfNodes = labels.includes('instance_category');
  const own = isOfNodes ? labels.slice(labels.indexOf('node_name')) : labels;
  const listed = [...(isOfNodes ? ['labels of nodes'] : []), ...own.map((label) => `\`${label}\``)].join(', ');
  return wrapItem(`- \`${name}\` (${kind}${listed === '' ? '' : `: ${listed}`}): ${help}.`);
}

const printAbsentMetrics = (): string => {
  const lines = absentMetrics.map(({ names, because }) =>
    wrapItem(`- ${names.map((name) => `\`${name}\``).join(', ')}: ${because}.`),
  );
  return `## Metrics of Karpenter that are not here\n\n${lines.join('\n')}\n`;
};

const longestLine = 128;

/** The item in lines that are not too long; all but the first are indented. */
function wrapItem(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < longestLine) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(lines.length === 0 ? word : `  ${word}`);
  }
  return lines.join('\n');
}

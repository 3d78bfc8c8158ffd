import { byTextOf, wellKnownLabels, readOwn } from '@nodewright/apis';
import { isManagedNode, nodeLabelsOf, nodeNameOf, type NodeState } from '@nodewright/engine';

/** `karpenter.k8s.aws/instance-cpu` is `instance_cpu` in a metric. */
const metricNames: readonly (readonly [label: string, name: string])[] = [...wellKnownLabels]
  .map((label) => [label, (label.split('/').at(-1) ?? label).replaceAll('-', '_').toLowerCase()] as const)
  .toSorted(byTextOf(([name]) => name));

/** What every metric about a node is labelled with. */
export const nodeMetricLabels: readonly string[] = [
  ...new Set([...metricNames.map(([, name]) => name), 'node_name', 'phase', 'managed']),
];

export function nodeMetricValues(state: NodeState): Readonly<Record<string, string>> {
  const labels = nodeLabelsOf(state);
  return {
    ...Object.fromEntries(metricNames.map(([label, name]) => [name, readOwn(labels, label) ?? ''])),
    node_name: nodeNameOf(state),
    phase: '',
    managed: String(isManagedNode(state)),
  };
}

import type { Insight, InsightStatusValue } from '@aws-sdk/client-eks';
import { readOwn } from '@nodewright/apis';
import { rollbackTarget } from '../../clusters/rollback.ts';
import type { EksCluster } from '../../clusters/cluster.ts';
import type { Eks } from '../../model.ts';
import type { EksNodeGroup } from '../../nodegroups/node-group.ts';
import { listClusterGroups } from '../nodegroups/groups-of.ts';
import { laggingGroups } from '../version-skew.ts';
import { clusterVersions, isNextVersion } from '../../versions.ts';
import { type KeptInsights, refreshInsights } from '../../clusters/kept-insights.ts';

/**
 * What EKS shows: what it found at its last check, once a day or on request. Findings that are
 * injected as faults show at once.
 * @throws AwsError when there is no such cluster
 */
export function insightsOf(eks: Eks, clusterName: string): readonly Insight[] {
  const { at, findings, since } = keptInsights(eks, clusterName);
  return findings.map((finding) => ({
    ...finding,
    lastRefreshTime: new Date(at),
    lastTransitionTime: new Date(readOwn(since, finding.id ?? '') ?? at),
    ...injected(eks, finding),
  }));
}

/** @throws AwsError when there is no such cluster */
export function keptInsights(eks: Eks, clusterName: string): KeptInsights {
  const cluster = eks.clusters.cluster(clusterName);
  const kept = eks.insights.get(clusterName);
  const current = refreshInsights(kept, cluster, { now: eks.clusters.now(), look: () => listFindings(eks, cluster) });
  if (current !== kept) eks.insights.set(clusterName, current);
  return current;
}

/** Finds what blocks an update or a rollback of the cluster now, without waiting for the daily check. */
export const blockingInsight = (eks: Eks, clusterName: string, category: Insight['category']): Insight | undefined =>
  listFindings(eks, eks.clusters.cluster(clusterName))
    .map((finding) => ({ ...finding, ...injected(eks, finding) }))
    .find((each) => each.category === category && each.insightStatus?.status === 'ERROR');

/**
 * What follows from what the sandbox knows: whether node groups keep up with the cluster, and whether they would
 * still suit it after a rollback.
 */
const listFindings = (eks: Eks, cluster: EksCluster): readonly Insight[] => [
  ...upgradeFindings(eks, cluster),
  ...rollbackFindings(eks, cluster),
];

function upgradeFindings(eks: Eks, cluster: EksCluster): readonly Insight[] {
  const next = clusterVersions.find(({ version }) => isNextVersion(cluster.version, version))?.version;
  if (next === undefined) return [];
  const behind = listClusterGroups(eks, cluster.name).filter(({ version }) => version !== cluster.version);
  const isBlocked = laggingGroups(eks, cluster.name, next).length > 0;
  const status = isBlocked ? 'ERROR' : behind.length > 0 ? 'WARNING' : 'PASSING';
  const reason = status === 'PASSING' ? 'match' : 'lag behind';
  return [
    {
      id: '00000000-0000-4000-8000-000000000001',
      name: 'Kubelet version skew',
      category: 'UPGRADE_READINESS',
      kubernetesVersion: next,
      description:
        'Compares the kubelet versions of nodes with what Kubernetes supports under the next version of the control plane.',
      insightStatus: { status, reason: `Node kubelet versions ${reason} the cluster control plane version.` },
      recommendation: 'Update node groups to the version of the control plane before the next update of the cluster.',
      resources: writeInsightResources(behind, status),
    },
  ];
}

function rollbackFindings(eks: Eks, cluster: EksCluster): readonly Insight[] {
  const target = rollbackTarget(cluster, eks.clusters.now());
  if (target === undefined) return [];
  const ahead = listClusterGroups(eks, cluster.name).filter(({ version }) => version !== target);
  const status = ahead.length > 0 ? 'ERROR' : 'PASSING';
  const reason =
    ahead.length > 0
      ? 'Nodes are newer than the control plane would be.'
      : 'No node would be newer than the control plane.';
  return [
    {
      id: '00000000-0000-4000-8000-000000000002',
      name: 'Kubelet version skew after rollback',
      category: 'ROLLBACK_READINESS',
      kubernetesVersion: target,
      description: 'Looks for nodes whose kubelet would be newer than the control plane after a rollback.',
      insightStatus: { status, reason },
      recommendation: `Update node groups to version ${target} before the cluster rolls back.`,
      resources: writeInsightResources(ahead, status),
    },
  ];
}

const writeInsightResources = (
  groups: readonly EksNodeGroup[],
  status: InsightStatusValue,
): NonNullable<Insight['resources']> => groups.map(({ arn }) => ({ arn, insightStatus: { status } }));

function injected({ faults }: Eks, { category }: Insight): Insight {
  const fault = faults.find('insight').find((each) => (each.category ?? category) === category);
  if (fault === undefined) return {};
  return { insightStatus: { status: fault.status ?? 'ERROR', reason: 'A fault of the sandbox says so.' } };
}

import type { Insight, InsightStatusValue } from '@aws-sdk/client-eks';
import { rollbackTarget } from './clusters/rollback.ts';
import type { Cluster } from './clusters/cluster.ts';
import type { Eks } from './model.ts';
import type { NodeGroup } from './nodegroups/node-group.ts';
import { groupsOf } from './nodegroups/groups-of.ts';
import { laggingGroups } from './version-skew.ts';
import { clusterVersions, isNextVersion } from './versions.ts';

/**
 * What follows from what the sandbox knows: whether node groups keep up with the cluster, and whether they would
 * still suit it after a rollback. Findings can be injected as faults.
 * @throws AwsError when there is no such cluster
 */
export function insightsOf(eks: Eks, clusterName: string): readonly Insight[] {
  const cluster = eks.clusters.cluster(clusterName);
  const own = [...upgradeFindings(eks, cluster), ...rollbackFindings(eks, cluster)];
  return own.map((finding) => ({ ...finding, ...injected(eks, finding) }));
}

/** The finding that keeps the cluster from being updated, or from going back. */
export const blockingInsight = (eks: Eks, clusterName: string, category: Insight['category']): Insight | undefined =>
  insightsOf(eks, clusterName).find((each) => each.category === category && each.insightStatus?.status === 'ERROR');

function upgradeFindings(eks: Eks, cluster: Cluster): readonly Insight[] {
  const next = clusterVersions.find(({ version }) => isNextVersion(cluster.version, version))?.version;
  if (next === undefined) return [];
  const behind = groupsOf(eks, cluster.name).filter(({ version }) => version !== cluster.version);
  const isBlocked = laggingGroups(eks, cluster.name, next).length > 0;
  const status = isBlocked ? 'ERROR' : behind.length > 0 ? 'WARNING' : 'PASSING';
  const reason = status === 'PASSING' ? 'match' : 'lag behind';
  return [
    {
      ...common(eks, cluster),
      id: '00000000-0000-4000-8000-000000000001',
      name: 'Kubelet version skew',
      category: 'UPGRADE_READINESS',
      kubernetesVersion: next,
      description:
        'Compares the kubelet versions of nodes with what Kubernetes supports under the next version of the control plane.',
      insightStatus: { status, reason: `Node kubelet versions ${reason} the cluster control plane version.` },
      recommendation: 'Update node groups to the version of the control plane before the next update of the cluster.',
      resources: resourcesOf(behind, status),
    },
  ];
}

function rollbackFindings(eks: Eks, cluster: Cluster): readonly Insight[] {
  const target = rollbackTarget(cluster, eks.clusters.now());
  if (target === undefined) return [];
  const ahead = groupsOf(eks, cluster.name).filter(({ version }) => version !== target);
  const status = ahead.length > 0 ? 'ERROR' : 'PASSING';
  const reason =
    ahead.length > 0
      ? 'Nodes are newer than the control plane would be.'
      : 'No node would be newer than the control plane.';
  return [
    {
      ...common(eks, cluster),
      id: '00000000-0000-4000-8000-000000000002',
      name: 'Kubelet version skew after rollback',
      category: 'ROLLBACK_READINESS',
      kubernetesVersion: target,
      description: 'Looks for nodes whose kubelet would be newer than the control plane after a rollback.',
      insightStatus: { status, reason },
      recommendation: `Update node groups to version ${target} before the cluster rolls back.`,
      resources: resourcesOf(ahead, status),
    },
  ];
}

const common = ({ clusters }: Eks, { createdAt }: Cluster): Insight => ({
  lastRefreshTime: new Date(clusters.now()),
  lastTransitionTime: new Date(createdAt),
});

const resourcesOf = (groups: readonly NodeGroup[], status: InsightStatusValue): NonNullable<Insight['resources']> =>
  groups.map(({ arn }) => ({ arn, insightStatus: { status } }));

function injected({ faults }: Eks, { category }: Insight): Insight {
  const fault = faults.find('insight').find((each) => (each.category ?? category) === category);
  if (fault === undefined) return {};
  return { insightStatus: { status: fault.status ?? 'ERROR', reason: 'A fault of the sandbox says so.' } };
}

import type {
  DescribeInsightRequest,
  DescribeInsightResponse,
  DescribeInsightsRefreshRequest,
  DescribeInsightsRefreshResponse,
  Insight,
  InsightSummary,
  ListInsightsRequest,
  ListInsightsResponse,
  StartInsightsRefreshRequest,
  StartInsightsRefreshResponse,
} from '@aws-sdk/client-eks';
import { AwsError } from '../codec/aws-error.ts';
import { pageOf } from '../paging.ts';
import { checkCluster } from './cluster-operations.ts';
import { badToken } from './errors.ts';
import type { Eks } from './model.ts';
import { clusterVersions, isNextVersion } from './versions.ts';

/** The one finding that follows from what the sandbox knows: whether node groups keep up with the cluster. */
function insightsOf({ controlPlane, nodeGroups }: Eks): readonly Insight[] {
  const now = new Date(nodeGroups.deps.clock.now());
  const next = clusterVersions.find(({ version }) => isNextVersion(controlPlane.version, version))?.version;
  if (next === undefined) return [];
  const lagging = nodeGroups.all().filter(({ version }) => version !== controlPlane.version);
  const status = lagging.length === 0 ? ('PASSING' as const) : ('ERROR' as const);
  const reason =
    lagging.length === 0
      ? 'Node kubelet versions match the cluster control plane version.'
      : 'Node kubelet versions lag behind the cluster control plane version.';
  return [
    {
      id: '00000000-0000-4000-8000-000000000001',
      name: 'Kubelet version skew',
      category: 'UPGRADE_READINESS',
      kubernetesVersion: next,
      description:
        'Checks for kubelet versions of worker nodes in the cluster to see if upgrade would cause non compliance with supported Kubernetes kubelet version skew policy.',
      lastRefreshTime: now,
      lastTransitionTime: new Date(controlPlane.createdAt),
      insightStatus: { status, reason },
      recommendation: 'Update node groups to the version of the control plane before the next update of the cluster.',
      resources: lagging.map(({ arn }) => ({ arn, insightStatus: { status } })),
    },
  ];
}

export function listInsights(eks: Eks, request: ListInsightsRequest): ListInsightsResponse {
  checkCluster(eks, request.clusterName);
  const { categories, statuses, kubernetesVersions } = request.filter ?? {};
  const found = insightsOf(eks)
    .filter(({ category }) => categories?.some((each) => each === category) ?? true)
    .filter(({ insightStatus }) => statuses?.some((each) => each === insightStatus?.status) ?? true)
    .filter(({ kubernetesVersion = '' }) => kubernetesVersions?.includes(kubernetesVersion) ?? true);
  const page = { size: request.maxResults, token: request.nextToken, refuse: badToken };
  const { items, next } = pageOf(found, page);
  return { insights: items.map(summaryOf), ...(next && { nextToken: next }) };
}

const summaryOf = ({ recommendation: _text, resources: _list, ...summary }: Insight): InsightSummary => summary;

export function describeInsight(eks: Eks, request: DescribeInsightRequest): DescribeInsightResponse {
  checkCluster(eks, request.clusterName);
  const insight = insightsOf(eks).find(({ id }) => id === request.id);
  if (insight !== undefined) return { insight };
  throw new AwsError('ResourceNotFoundException', `No insight found for id: ${request.id}`, {
    status: 404,
    details: { clusterName: eks.clusterName },
  });
}

/** Findings are worked out when they are asked for: a refresh has nothing to wait for. */
export function startInsightsRefresh(eks: Eks, request: StartInsightsRefreshRequest): StartInsightsRefreshResponse {
  checkCluster(eks, request.clusterName);
  return { message: 'Insights refresh has started.', status: 'IN_PROGRESS' };
}

export function describeInsightsRefresh(
  eks: Eks,
  request: DescribeInsightsRefreshRequest,
): DescribeInsightsRefreshResponse {
  checkCluster(eks, request.clusterName);
  const now = new Date(eks.nodeGroups.deps.clock.now());
  return { message: 'Insights refresh has ended.', status: 'COMPLETED', startedAt: now, endedAt: now };
}

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
import { insightsOf } from './insights.ts';
import type { Eks } from './model.ts';
import { eksPage } from './page.ts';

export function listInsights(eks: Eks, request: ListInsightsRequest): ListInsightsResponse {
  const { categories, statuses, kubernetesVersions } = request.filter ?? {};
  const found = insightsOf(eks, request.clusterName ?? '')
    .filter(({ category }) => categories?.some((each) => each === category) ?? true)
    .filter(({ insightStatus }) => statuses?.some((each) => each === insightStatus?.status) ?? true)
    .filter(({ kubernetesVersion = '' }) => kubernetesVersions?.includes(kubernetesVersion) ?? true);
  const { items, next } = pageOf(found, eksPage(request));
  return { insights: items.map(summaryOf), ...(next && { nextToken: next }) };
}

const summaryOf = ({ recommendation: _text, resources: _list, ...summary }: Insight): InsightSummary => summary;

export function describeInsight(eks: Eks, request: DescribeInsightRequest): DescribeInsightResponse {
  const insight = insightsOf(eks, request.clusterName ?? '').find(({ id }) => id === request.id);
  if (insight !== undefined) return { insight };
  throw new AwsError('ResourceNotFoundException', `No insight found for id: ${request.id}`, {
    status: 404,
    details: { clusterName: request.clusterName },
  });
}

/** Findings are worked out when they are asked for: a refresh has nothing to wait for. */
export function startInsightsRefresh(eks: Eks, request: StartInsightsRefreshRequest): StartInsightsRefreshResponse {
  eks.clusters.cluster(request.clusterName ?? '');
  return { message: 'Insights refresh has started.', status: 'IN_PROGRESS' };
}

export function describeInsightsRefresh(
  eks: Eks,
  request: DescribeInsightsRefreshRequest,
): DescribeInsightsRefreshResponse {
  eks.clusters.cluster(request.clusterName ?? '');
  const now = new Date(eks.clusters.now());
  return { message: 'Insights refresh has ended.', status: 'COMPLETED', startedAt: now, endedAt: now };
}

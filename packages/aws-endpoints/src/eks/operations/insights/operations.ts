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
import { AwsError } from '../../../codec/aws-error.ts';
import { takePage } from '../../../paging.ts';
import type { Eks } from '../../model.ts';
import { eksPage } from '../page.ts';
import { insightsOf, keptInsights } from './findings.ts';
import { newRefresh } from '../../clusters/kept-insights.ts';

export function listInsights(eks: Eks, request: ListInsightsRequest): ListInsightsResponse {
  const { categories, statuses, kubernetesVersions } = request.filter ?? {};
  const found = insightsOf(eks, request.clusterName ?? '')
    .filter(({ category }) => categories?.some((each) => each === category) ?? true)
    .filter(({ insightStatus }) => statuses?.some((each) => each === insightStatus?.status) ?? true)
    .filter(({ kubernetesVersion = '' }) => kubernetesVersions?.includes(kubernetesVersion) ?? true);
  const { items, next } = takePage(found, eksPage(request));
  return { insights: items.map(summarizeInsight), ...(next && { nextToken: next }) };
}

const summarizeInsight = ({ recommendation: _text, resources: _list, ...summary }: Insight): InsightSummary => summary;

export function describeInsight(eks: Eks, request: DescribeInsightRequest): DescribeInsightResponse {
  const insight = insightsOf(eks, request.clusterName ?? '').find(({ id }) => id === request.id);
  if (insight !== undefined) return { insight };
  throw new AwsError('ResourceNotFoundException', `No insight found for id: ${request.id}`, {
    status: 404,
    details: { clusterName: request.clusterName },
  });
}

/** One that is under way goes on. */
export function startInsightsRefresh(eks: Eks, request: StartInsightsRefreshRequest): StartInsightsRefreshResponse {
  const name = request.clusterName ?? '';
  const kept = keptInsights(eks, name);
  const now = eks.clusters.now();
  const isRunning = kept.asked !== undefined && kept.asked.endsAt > now;
  if (!isRunning) eks.insights.set(name, { ...kept, asked: newRefresh(now) });
  return { message: `The insights of cluster ${name} are being refreshed.`, status: 'IN_PROGRESS' };
}

/** Without a requested refresh, the daily one. */
export function describeInsightsRefresh(
  eks: Eks,
  request: DescribeInsightsRefreshRequest,
): DescribeInsightsRefreshResponse {
  const name = request.clusterName ?? '';
  const { asked, at } = keptInsights(eks, name);
  const { startedAt, endsAt } = asked ?? { startedAt: at, endsAt: at };
  if (endsAt > eks.clusters.now()) {
    const message = `The insights of cluster ${name} are being refreshed.`;
    return { message, status: 'IN_PROGRESS', startedAt: new Date(startedAt) };
  }
  const message = `The insights of cluster ${name} have been refreshed.`;
  return { message, status: 'COMPLETED', startedAt: new Date(startedAt), endedAt: new Date(endsAt) };
}

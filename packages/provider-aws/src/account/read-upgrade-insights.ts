import { ListInsightsCommand } from '@aws-sdk/client-eks';
import type { AccountQuestion } from './read-account.ts';
import { asCloudError, callAws } from '../calls/call-aws.ts';
import { readAllPages } from '../calls/pages.ts';

/** What EKS says about an upgrade to a minor. */
export type UpgradeInsight = {
  readonly name: string;
  readonly status: string;
  readonly reason: string;
};

/** The insights of EKS that are about a minor of Kubernetes, or about every one. */
export async function readUpgradeInsights(
  question: Pick<AccountQuestion, 'clock' | 'gate' | 'random' | 'clients' | 'clusterName'>,
  kubernetesVersion: string,
  signal: AbortSignal,
): Promise<readonly UpgradeInsight[]> {
  const { clients, clusterName } = question;
  const call = callAws(question);
  const pages = await readAllPages(async (nextToken) => {
    const asked = new ListInsightsCommand({ clusterName, filter: { categories: ['UPGRADE_READINESS'] }, nextToken });
    const answer = await call((options) => clients.eks.send(asked, options), signal).catch(throwCloudError);
    return { insights: answer.insights ?? [], NextToken: answer.nextToken };
  });
  return pages
    .flatMap(({ insights }) => insights)
    .filter((each) => each.kubernetesVersion === undefined || each.kubernetesVersion === kubernetesVersion)
    .map(({ name = '', insightStatus }) => ({
      name,
      status: insightStatus?.status ?? 'UNKNOWN',
      reason: insightStatus?.reason ?? '',
    }));
}

/** A refusal is for the caller to decide on. */
function throwCloudError(error: unknown): never {
  throw asCloudError(error);
}

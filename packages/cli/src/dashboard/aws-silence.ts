import { type EC2NodeClass, type Instant, instant, seconds } from '@nodewright/apis';
import { isToldByAws, nameAwsSources } from '@nodewright/dashboard/rows';
import { CloudError, type InstanceTypePort } from '@nodewright/ports';
import type { Clock } from '@nodewright/runtime';

/** So long it is not asked again: each reading asks once for every NodePool, and an AWS that is out of reach takes seconds each time. */
export const silenceKeptMs = seconds(30);

/** The instance types of a cloud; what is refused is refused again for a while without asking. */
export function rememberRefusals<T extends Pick<InstanceTypePort, 'list'>>(types: T, clock: Pick<Clock, 'now'>): T {
  let refused: { readonly until: Instant; readonly error: CloudError } | undefined;
  return {
    ...types,
    async list(nodeClass: EC2NodeClass, signal: AbortSignal) {
      if (refused !== undefined && clock.now() < refused.until) throw refused.error;
      try {
        const listed = await types.list(nodeClass, signal);
        refused = undefined;
        return listed;
      } catch (error) {
        if (isSilence(error)) refused = { until: instant(clock.now() + silenceKeptMs), error };
        throw error;
      }
    },
  };
}

/** What is wrong with a NodeClass is no silence: other NodeClasses are told. */
const isSilence = (error: unknown): error is CloudError =>
  error instanceof CloudError && error.retry !== 'afterSpecChange' && error.code !== 'SubnetsNotResolved';

/** Why AWS does not tell what: kinds of `awsSources`, each with what came instead of an answer. */
export type AwsSilence = ReadonlyMap<string, string>;

/** What a reader learns about it; `undefined` while AWS answers. */
export function describeSilence(silence: AwsSilence): string | undefined {
  if (silence.size === 0) return undefined;
  const failures = [...new Set(silence.values())].join('; ');
  return `AWS does not answer here about ${nameAwsSources([...silence.keys()])} (${failures}). What Kubernetes alone tells is shown. For the rest, give credentials and a region as the aws command takes them, such as AWS_PROFILE and AWS_REGION, with the rights to read of \`nodewright iam-policy\`.`;
}

/** Whether nothing but AWS stands between a reader and the whole dashboard. */
export const lacksAwsAlone = (missing: readonly string[]): boolean => missing.every(isToldByAws);

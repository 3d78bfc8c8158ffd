import { seconds, selfSubjectAccessReviews } from '@nodewright/apis';
import type { Clock, KubernetesClient } from '@nodewright/runtime';
import { type CallerCheck, testingRight } from './caller-review.ts';

/** So long an answer holds. */
const rightsKeptMs = seconds(30);

type OwnRightsPorts = {
  readonly client: Pick<KubernetesClient, 'create'>;
  readonly clock: Clock;
};

/**
 * Where the page reads with the rights of the person who started it, everybody who reaches it sees what that person may read.
 * Whether that person may test receivers is asked of the API server; without an answer, not.
 */
export function createOwnRightsCheck({ client, clock }: OwnRightsPorts): CallerCheck {
  let kept: { readonly until: number; readonly mayTest: Promise<boolean> } | undefined;
  return async () => {
    const now = clock.now();
    if (kept === undefined || now >= kept.until) kept = { until: now + rightsKeptMs, mayTest: mayTestMyself(client) };
    const mayTest = await kept.mayTest;
    return { hidden: {}, isOwnReading: true, mayTest };
  };
}

async function mayTestMyself(client: OwnRightsPorts['client']): Promise<boolean> {
  const review = { metadata: { name: '' }, spec: { resourceAttributes: testingRight } };
  const answer = await client.create(selfSubjectAccessReviews, review).catch(() => undefined);
  return answer?.status?.allowed === true;
}

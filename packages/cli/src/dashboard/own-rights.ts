import { seconds, selfSubjectAccessReviews } from '@nodewright/apis';
import { dashboardSections } from '@nodewright/dashboard/rows';
import type { Clock, KubernetesClient } from '@nodewright/runtime';
import { type CallerCheck, type CallerSight, testingRight } from './caller-review.ts';

/** So long an answer holds. */
const rightsKeptMs = seconds(30);

type OwnRightsPorts = { readonly client: Pick<KubernetesClient, 'create'>; readonly clock: Clock };

/**
 * Where the page reads with the rights of the person who started it, everybody who reaches it sees all of it. What that
 * person may do is asked of the API server; without an answer, nothing.
 */
export function createOwnRightsCheck({ client, clock }: OwnRightsPorts): CallerCheck {
  let kept: { readonly until: number; readonly sight: Promise<CallerSight> } | undefined;
  return () => {
    const now = clock.now();
    if (kept !== undefined && now < kept.until) return kept.sight;
    const sight = mayTestMyself(client).then((mayTest) => ({ ...viewerRights, mayTest }));
    kept = { until: now + rightsKeptMs, sight };
    return sight;
  };
}

const viewerRights = { sections: new Set(dashboardSections), hidden: {} };

async function mayTestMyself(client: OwnRightsPorts['client']): Promise<boolean> {
  const review = { metadata: { name: '' }, spec: { resourceAttributes: testingRight } };
  const answer = await client.create(selfSubjectAccessReviews, review).catch(() => undefined);
  return answer?.status?.allowed === true;
}

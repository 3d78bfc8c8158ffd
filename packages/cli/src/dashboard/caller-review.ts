import { createHash } from 'node:crypto';
import { type ReviewedUser, seconds, subjectAccessReviews, tokenReviews } from '@nodewright/apis';
import { dashboardKinds, listAllowedSections, listMissingKinds, type ReadableKind } from '@nodewright/dashboard';
import { type DashboardSection, dashboardSections } from '@nodewright/dashboard/rows';
import type { Clock, HttpHeaders, KubernetesClient } from '@nodewright/runtime';

/** What somebody who asks for the page's data gets to see. */
export type CallerSight = {
  readonly sections: ReadonlySet<DashboardSection>;
  /** Kinds that the caller may not list. */
  readonly hiddenKinds: readonly ReadableKind[];
};

/**
 * Says what the sender of a request gets to see; `undefined` where nobody knows who that is.
 * @throws Error when the API server cannot be asked
 */
export type CallerCheck = (headers: HttpHeaders) => Promise<CallerSight | undefined>;

/** Where the page reads with the rights of the person who started it, everybody who reaches it sees all of it. */
export const admitEverybody: CallerCheck = () => Promise.resolve(wholeSight);

const wholeSight: CallerSight = { sections: new Set(dashboardSections), hiddenKinds: [] };

/** So long an answer holds: whoever loses a right or a token sees nothing new after it. */
const answerKeptMs = seconds(30);
const mostKeptAnswers = 200;

type KeptSight = { readonly until: number; readonly sight: Promise<CallerSight | undefined> };

export type ReviewPorts = { readonly client: Pick<KubernetesClient, 'create'>; readonly clock: Clock };

/** Asks the API server whose the bearer token of a request is, and which kinds that user may list in the whole cluster. */
export function createCallerCheck({ client, clock }: ReviewPorts): CallerCheck {
  const kept = new Map<string, KeptSight>();
  return async ({ authorization = '' }) => {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) return undefined;
    // Tokens are not kept.
    const key = createHash('sha256').update(token).digest('base64');
    const now = clock.now();
    const known = kept.get(key);
    if (known !== undefined && now < known.until) return known.sight;
    const sight = reviewCaller(client, token);
    kept.delete(key);
    kept.set(key, { until: now + answerKeptMs, sight });
    forgetFirst(kept);
    sight.catch(() => kept.delete(key));
    return sight;
  };
}

function forgetFirst(kept: Map<string, KeptSight>): void {
  const [first] = kept.keys();
  if (kept.size > mostKeptAnswers && first !== undefined) kept.delete(first);
}

type ReviewClient = ReviewPorts['client'];

async function reviewCaller(client: ReviewClient, token: string): Promise<CallerSight | undefined> {
  const { status } = await client.create(tokenReviews, { metadata: { name: '' }, spec: { token } });
  const { authenticated, user } = status ?? {};
  if (authenticated !== true || user === undefined) return undefined;
  const answers = await Promise.all(
    dashboardKinds.map(async (kind) => ((await mayList(client, user, kind)) ? [kind] : [])),
  );
  const kinds = new Set(answers.flat());
  return { sections: listAllowedSections(kinds), hiddenKinds: listMissingKinds(kinds) };
}

async function mayList(
  client: ReviewClient,
  { username = '', uid, groups = [], extra }: ReviewedUser,
  kind: ReadableKind,
): Promise<boolean> {
  const [resource = '', ...group] = kind.split('.');
  const { status } = await client.create(subjectAccessReviews, {
    metadata: { name: '' },
    spec: {
      user: username,
      groups,
      ...(uid === undefined ? {} : { uid }),
      ...(extra === undefined ? {} : { extra }),
      resourceAttributes: { verb: 'list', group: group.join('.'), resource },
    },
  });
  return status?.allowed === true;
}

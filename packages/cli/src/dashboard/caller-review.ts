import { createHash } from 'node:crypto';
import { type ReviewedUser, seconds, subjectAccessReviews, tokenReviews } from '@nodewright/apis';
import { dashboardKinds, listHiddenParts, type ReadableKind } from '@nodewright/dashboard';
import type { HiddenParts } from '@nodewright/dashboard/rows';
import type { Clock, HttpHeaders, KubernetesClient } from '@nodewright/runtime';

/** What a caller who asks for the page's data gets to see: everything that is not hidden. */
export type CallerSight = {
  readonly hidden: HiddenParts;
  /** Whether the cluster is read with the caller's own rights: then the caller hears of everything that stands in the way. */
  readonly isOwnReading?: boolean;
  /** Whether the caller may have a message sent to a receiver of a policy. */
  readonly mayTest: boolean;
};

/** Whoever may change a policy can have messages sent to anywhere: who may not, sends none. */
export const testingRight = { verb: 'patch', group: 'nodewright.dev', resource: 'noderolloutpolicies' } as const;

/**
 * Says what the sender of a request gets to see; `undefined` where the sender is unknown.
 * @throws Error when the API server cannot be asked
 */
export type CallerCheck = (headers: HttpHeaders) => Promise<CallerSight | undefined>;

/** Everybody sees everything, and changes nothing. */
export const admitEverybody: CallerCheck = () => Promise.resolve(wholeSight);

const wholeSight: CallerSight = { hidden: {}, mayTest: false };

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
    dashboardKinds.map(async (kind) => ((await callerMayDo(client, user, listingRight(kind))) ? [kind] : [])),
  );
  const mayTest = await callerMayDo(client, user, testingRight);
  return { hidden: listHiddenParts(new Set(answers.flat())), mayTest };
}

type CallerRight = { readonly verb: string; readonly group: string; readonly resource: string };

function listingRight(kind: ReadableKind): CallerRight {
  const [resource = '', ...group] = kind.split('.');
  return { verb: 'list', group: group.join('.'), resource };
}

async function callerMayDo(
  client: ReviewClient,
  { username = '', uid, groups = [], extra }: ReviewedUser,
  right: CallerRight,
): Promise<boolean> {
  const { status } = await client.create(subjectAccessReviews, {
    metadata: { name: '' },
    spec: {
      user: username,
      groups,
      ...(uid === undefined ? {} : { uid }),
      ...(extra === undefined ? {} : { extra }),
      resourceAttributes: right,
    },
  });
  return status?.allowed === true;
}

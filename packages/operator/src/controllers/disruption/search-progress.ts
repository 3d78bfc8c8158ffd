import { minutes, type Instant } from '@nodewright/apis';
import type { MethodPlan } from '@nodewright/engine';
import type { MethodEvaluation, Pass } from './pass.ts';

/** How far a search for a single node has come that takes several passes. */
export type ConsolidationSearch = {
  /** Names of the claims that were looked at. */
  readonly looked: ReadonlySet<string>;
  /** Since when it has lasted, or when it was last reported as too long. */
  readonly since: Instant;
  /** The number of the latest change when it began. */
  readonly change: number;
};

/** When a search counts as one that ran out of time. */
const longestSearchMs = minutes(3);

type SearchedPass = {
  readonly search: ConsolidationSearch | undefined;
  readonly change: number;
  readonly now: Instant;
};

/** The search that the next pass continues; `undefined` when it is over. */
export function continueSearch(pass: Pass, { search, change, now }: SearchedPass): ConsolidationSearch | undefined {
  const evaluation = pass.evaluations.find(isSingleSearch);
  if (evaluation === undefined) return search;
  const { plan } = evaluation;
  if (!isCutShort(plan) || plan.commands.length > 0) return undefined;
  const begun = search ?? { looked: new Set<string>(), since: now, change };
  const looked = new Set([...begun.looked, ...(plan.search?.looked ?? [])]);
  return { ...begun, looked, since: isLateSearch(begun, now) ? now : begun.since };
}

/** Whether a search that goes on has lasted too long by now. */
export const isLateSearch = (search: ConsolidationSearch | undefined, now: Instant): boolean =>
  search !== undefined && now > search.since + longestSearchMs;

export const isSingleSearch = ({ method }: MethodEvaluation): boolean => method.consolidationType === 'single';

export const isCutShort = ({ search }: MethodPlan): boolean => search?.isCutShort ?? false;

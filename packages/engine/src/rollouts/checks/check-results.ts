import { type CheckResult, fromTimestamp, type Instant, type NodeRolloutStatus, toTimestamp } from '@nodewright/apis';
import type { CheckReading } from '../snapshot.ts';

/** What a check said. One that cannot be asked says nothing of the image. */
export type CheckVerdict = { readonly state: 'Passes' | 'Fails' | 'CannotBeAsked'; readonly detail: string };

/** Which check, and on which new node it ran; a check of all new nodes has none. */
export type CheckPlace = { readonly check: string; readonly node?: string };

export const isResultOf = (result: CheckResult, { check, node }: CheckPlace): boolean =>
  result.check === check && result.node === node;

export const findCheckResult = (
  { checks = [] }: Pick<NodeRolloutStatus, 'checks'>,
  place: CheckPlace,
): CheckResult | undefined => checks.find((result) => isResultOf(result, place));

const longestDetail = 500;

/**
 * The status with one more answer. After a person has forgiven a failure the count begins anew. What comes after a halt
 * says nothing more.
 */
export function recordVerdict(
  status: NodeRolloutStatus,
  place: CheckPlace,
  { verdict: { state, detail }, now }: { readonly verdict: CheckVerdict; readonly now: Instant },
): NodeRolloutStatus {
  if (status.halted !== undefined) return status;
  const before = findCheckResult(status, place);
  const isSame = before?.state === state && !isForgiven(before, status);
  const result: CheckResult = {
    ...(before?.run === undefined ? {} : { run: before.run }),
    ...place,
    state,
    inARow: isSame ? before.inARow + 1 : 1,
    detail: detail.slice(0, longestDetail),
    at: toTimestamp(now),
  };
  return withCheckResult(status, result);
}

export const withCheckResult = (status: NodeRolloutStatus, result: CheckResult): NodeRolloutStatus => ({
  ...status,
  checks: [...(status.checks ?? []).filter((each) => !isResultOf(each, result)), result],
});

/** The status without answers about nodes that are no new nodes of the rollout any more. */
export function dropResultsOfOthers(
  status: NodeRolloutStatus,
  members: readonly { readonly name: string }[],
): NodeRolloutStatus {
  const names = new Set(members.map(({ name }) => name));
  const checks = (status.checks ?? []).filter(({ node }) => node === undefined || names.has(node));
  return { ...status, checks };
}

/** A person has resumed the rollout after the failure that this answer led to. */
const isForgiven = ({ at }: CheckResult, { failures = [] }: NodeRolloutStatus): boolean =>
  failures.some((failure) => failure.forgiven === true && failure.signal === 'checks' && failure.at >= at);

/** The answers as health is judged by them, of checks that the policy still has. */
export const readCheckResults = (
  status: NodeRolloutStatus | undefined,
  checkFailures: ReadonlyMap<string, number>,
): readonly CheckReading[] =>
  (status?.checks ?? [])
    .filter(({ check }) => checkFailures.has(check))
    .flatMap(({ check, node, state, inARow, detail, at }) =>
      state === 'Pending'
        ? []
        : [
            {
              check,
              ...(node === undefined ? {} : { node }),
              state: readingStates[state],
              inARow,
              detail,
              at: fromTimestamp(at),
            },
          ],
    );

const readingStates = { Passes: 'passes', Fails: 'fails', CannotBeAsked: 'cannotBeAsked' } as const;

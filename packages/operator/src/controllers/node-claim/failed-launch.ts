import {
  conditionUnknown,
  fromTimestamp,
  instant,
  minutes,
  nodeClaimConditions,
  seconds,
  toTimestamp,
  withCondition,
  type Instant,
  type NodeClaim,
} from '@nodewright/apis';
import { launchAttemptAnnotation, launchNotBeforeAnnotation } from '../../names.ts';
import { claimCreatedAt } from './created-at.ts';

type FailedLaunch = {
  /** The number that the next call carries: the same one while it is not certain that nothing was launched. */
  readonly nextAttempt: number;
  readonly reason: string;
  readonly message: string;
};

const shortestWaitMs = seconds(1);
const longestLaunchWaitMs = minutes(1);
const longestMessage = 300;

/**
 * The claim after a launch that did not come about: it tells the reason, and when it is tried again.
 *
 * The wait is as long as the claim has waited already, between a second and a minute: it doubles without
 * a counter, and a restart does not shorten it.
 */
export function claimAfterFailure(claim: NodeClaim, failed: FailedLaunch, now: Instant): NodeClaim {
  const waitMs = Math.min(longestLaunchWaitMs, Math.max(shortestWaitMs, now - claimCreatedAt(claim)));
  const annotations = {
    ...claim.metadata.annotations,
    [launchAttemptAnnotation]: String(failed.nextAttempt),
    [launchNotBeforeAnnotation]: toTimestamp(instant(now + waitMs)),
  };
  const told = conditionUnknown('Launched', failed.reason, shortenLaunchMessage(failed.message));
  return withCondition(nodeClaimConditions, { ...claim, metadata: { ...claim.metadata, annotations } }, told, now);
}

/** When the next launch may be tried; `undefined` when it may at once. */
export function launchNotBefore({ metadata }: NodeClaim): Instant | undefined {
  const text = metadata.annotations?.[launchNotBeforeAnnotation];
  return text === undefined ? undefined : fromTimestamp(text);
}

const shortenLaunchMessage = (message: string): string =>
  message.length > longestMessage ? `${message.slice(0, longestMessage)}...` : message;

import { instant, seconds, type Instant } from '@nodewright/apis';

const terminationPollMs = seconds(5);

/**
 * When to look next whether an instance has ended: every five seconds, and at the same instants for all of them, so that
 * one DescribeInstances answers for all that are ending.
 */
export const nextInstancePoll = (now: Instant): Instant =>
  instant((Math.floor(now / terminationPollMs) + 1) * terminationPollMs);

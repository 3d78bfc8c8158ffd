import { earliest, instant, type Instant } from '@nodewright/apis';
import type { AnswerChanges } from '@nodewright/ports';
import { recheckAt, restAndPoll, type Clock, type Result } from '@nodewright/runtime';
import { pollAtOrAfter } from './poll-times.ts';

export type PollSources = { readonly clock: Pick<Clock, 'now'>; readonly changes?: AnswerChanges | undefined };

type PollLimits = {
  /** When something else is due, whatever the cloud says. */
  readonly until?: Instant | undefined;
  /** Which answers matter [all]. */
  readonly about?: 'market';
};

/**
 * Polls a cloud, and sleeps between polls as long as the cloud tells that they would find nothing new.
 */
export function pollCloud({ clock, changes }: PollSources, everyMs: number, { until, about }: PollLimits = {}): Result {
  const now = clock.now();
  if (changes === undefined) return recheckAt(earliest(instant(now + everyMs), until));
  const steadyUntil = changes.steadyUntil(about);
  if (steadyUntil === undefined) return restAndPoll(everyMs, until);
  if (steadyUntil <= now) return recheckAt(earliest(instant(now + everyMs), until));
  return restAndPoll(everyMs, earliest(pollAtOrAfter(steadyUntil, { now, everyMs }), until));
}

/** Whether the cloud tells that it answers now as it did at that version. */
export function answersAsAt(version: number | undefined, { clock, changes }: PollSources): boolean {
  if (changes === undefined || changes.version() !== version) return false;
  const steadyUntil = changes.steadyUntil();
  return steadyUntil === undefined || clock.now() < steadyUntil;
}

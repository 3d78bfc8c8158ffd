import { type Instant, seconds } from '@nodewright/apis';
import type { ExperimentTemplate, ExperimentTags } from './template.ts';
import type { ActionTimes, TimedEffect } from './timeline.ts';

/** A run of a template, with the template as it was. */
export type Experiment = {
  readonly id: string;
  readonly clientToken: string;
  readonly template: ExperimentTemplate;
  readonly tags: ExperimentTags;
  readonly createdAt: Instant;
  readonly endsAt: Instant;
  readonly actionTimes: Readonly<Record<string, ActionTimes>>;
  /** Ids of instances by the names of targets. */
  readonly resolved: Readonly<Record<string, readonly string[]>>;
  readonly effects: readonly TimedEffect[];
  /** How many of the effects have been performed. */
  readonly performed: number;
  /** How and when it ended before its time. */
  readonly ended?: { readonly as: 'stopped' | 'failed'; readonly reason: string; readonly at: Instant };
};

export type ExperimentState = { readonly status: string; readonly reason: string };

/** How long an experiment is told to be initiating. */
const initiationMs = seconds(1);

/** Returns the state of an experiment as FIS tells it. */
export function experimentState({ createdAt, endsAt, ended }: Experiment, now: Instant): ExperimentState {
  if (ended !== undefined) return { status: ended.as, reason: ended.reason };
  if (now >= endsAt) return { status: 'completed', reason: 'Experiment completed.' };
  return now >= createdAt + initiationMs
    ? { status: 'running', reason: 'Experiment is running.' }
    : { status: 'initiating', reason: 'Experiment is initiating.' };
}

/** Returns the state of one of its actions. */
export function actionState({ ended }: Experiment, { startsAt, endsAt }: ActionTimes, now: Instant): ExperimentState {
  const until = ended?.at ?? now;
  if (until >= endsAt) return { status: 'completed', reason: 'Action was completed.' };
  if (ended?.as === 'failed') return { status: 'cancelled', reason: 'Action was cancelled.' };
  if (ended !== undefined)
    return until >= startsAt
      ? { status: 'stopped', reason: 'Action was stopped.' }
      : { status: 'cancelled', reason: 'Action was cancelled.' };
  return until >= startsAt
    ? { status: 'running', reason: 'Action is running.' }
    : { status: 'pending', reason: 'Action is pending.' };
}

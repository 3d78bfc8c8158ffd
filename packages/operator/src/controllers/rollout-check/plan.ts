import type { BatchJob, Instant, RolloutCheck } from '@nodewright/apis';
import {
  checkJobName,
  type CheckPlace,
  type CheckTask,
  type CheckVerdict,
  findCheckResult,
  judgeJob,
  placeOfMember,
  planChecks,
  unneededJobs,
} from '@nodewright/engine';
import type { ObservedChecks } from './observe.ts';

/** A run of a Job on one new node. */
export type JobRun = Omit<Extract<CheckTask, { kind: 'run' }>, 'kind'>;

export type CheckAction =
  /** Prometheus or a webhook is asked. */
  | { readonly kind: 'ask'; readonly check: RolloutCheck }
  /** A run is noted, and then its Job is made. */
  | { readonly kind: 'run'; readonly run: JobRun }
  /** The Job of a run that was noted is not there: it was never made, or has disappeared. */
  | { readonly kind: 'makeJob'; readonly run: JobRun }
  /** The pod of a Job got onto its node. Later the pod may be gone. */
  | { readonly kind: 'notePod'; readonly place: CheckPlace }
  /** A Job has ended. */
  | { readonly kind: 'judge'; readonly place: CheckPlace; readonly verdict: CheckVerdict };

export type CheckTurn = {
  readonly actions: readonly CheckAction[];
  /** Jobs that are taken away: nothing waits for them. A failed one stays for a day, or until it runs again: people want its log. */
  readonly remove: readonly BatchJob[];
  readonly nextAt?: Instant;
};

/** What is asked, run and judged now. Which checks are due is decided by `planChecks` of the engine. */
export function planCheckTurn(seen: ObservedChecks, now: Instant): CheckTurn {
  const { tasks, nextAt } = planChecks({ ...seen, now });
  return {
    actions: tasks.flatMap((task) => planCheckTask(seen, task)),
    remove: unneededJobs(seen.rollout, seen),
    ...(nextAt === undefined ? {} : { nextAt }),
  };
}

function planCheckTask(seen: ObservedChecks, task: CheckTask): readonly CheckAction[] {
  if (task.kind === 'ask') return [task];
  const { check, member, run: number } = task;
  const run = { check, member, run: number };
  if (task.kind === 'run') return [{ kind: 'run', run }];
  const name = checkJobName({ rollout: seen.rollout, ...run });
  const job = seen.jobs.find(({ metadata }) => metadata.name === name);
  return job === undefined ? [{ kind: 'makeJob', run }] : planCheckJob(seen, job, run);
}

function planCheckJob({ rollout, ownersOnNodes }: ObservedChecks, job: BatchJob, run: JobRun): readonly CheckAction[] {
  const place = placeOfMember(run.check, run.member);
  const isNoted = findCheckResult(rollout.status ?? {}, place)?.isPlaced === true;
  const isPlaced = isNoted || ownersOnNodes.get(run.member.node)?.has(job.metadata.uid ?? '') === true;
  const verdict = judgeJob(job, isPlaced);
  if (verdict !== undefined) return [{ kind: 'judge', place, verdict }];
  return isPlaced && !isNoted ? [{ kind: 'notePod', place }] : [];
}

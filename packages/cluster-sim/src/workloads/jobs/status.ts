import { type Condition, type Instant, type Pod, toTimestamp } from '@nodewright/apis';
import { mergeConditions } from '../../objects/conditions.ts';
import { isReadyWorkloadPod } from '../../objects/pod-health.ts';
import { indexOf, isTracked, type JobPods, verdictOn } from './counted.ts';
import { finishedCondition, type Job, type JobStatus } from './job.ts';
import { parseIndexes, printIndexes } from './index-ranges.ts';
import type { JobEnd } from './next-pods.ts';

type Uncounted = { readonly succeeded: readonly string[]; readonly failed: readonly string[] };

/**
 * The status after one look. Ended pods are first noted, then let go, and in the numbers once they are: so none is
 * counted twice, whenever the counting stops.
 */
export function statusOfJob(
  job: Job,
  owned: readonly Pod[],
  pods: JobPods,
  end: JobEnd | undefined,
  now: Instant,
): JobStatus {
  const held = new Set(owned.filter(isTracked).map(uidOfJobPod));
  const noted = job.status?.uncountedTerminatedPods ?? {};
  const letGo = (uids: readonly string[] = []): number => uids.filter((uid) => !held.has(uid)).length;
  const stillHeld = (uids: readonly string[] = []): readonly string[] => uids.filter((uid) => held.has(uid));
  const failures = pods.failed.filter((pod) => verdictOn(job, pod) !== 'Ignore');
  const uncounted: Uncounted = {
    succeeded: [...stillHeld(noted.succeeded), ...pods.succeeded.map(uidOfJobPod)],
    failed: [...stillHeld(noted.failed), ...failures.map(uidOfJobPod)],
  };
  const isQuiet =
    pods.active.length + pods.terminating.length + uncounted.succeeded.length + uncounted.failed.length === 0;
  const at = toTimestamp(now);
  const isSuspended = job.spec.suspend === true;
  const isOver = finishedCondition(job) !== undefined;
  const finishes = end !== undefined && isQuiet && !isOver;
  const startTime = isSuspended && !isOver ? undefined : (job.status?.startTime ?? at);
  const conditions = conditionsOfJob(job, end, finishes, at);
  return {
    ...numbers({
      active: pods.active.length,
      succeeded: (job.status?.succeeded ?? 0) + letGo(noted.succeeded),
      failed: (job.status?.failed ?? 0) + letGo(noted.failed),
    }),
    ready: pods.active.filter(isReadyWorkloadPod).length,
    terminating: pods.terminating.length,
    ...(startTime === undefined ? {} : { startTime }),
    ...(finishes && end.type === 'Complete' ? { completionTime: at } : completionOf(job)),
    ...completedIndexes(job, pods),
    ...(conditions.length === 0 ? {} : { conditions }),
    uncountedTerminatedPods: dropEmptyUncounted(uncounted),
  };
}

function conditionsOfJob(job: Job, end: JobEnd | undefined, finishes: boolean, at: string): readonly Condition[] {
  const changes: Condition[] = [];
  if (end !== undefined && finishedCondition(job) === undefined) {
    const why = { status: 'True', reason: end.reason, message: end.message } as const;
    changes.push({ type: end.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget', ...why });
    if (finishes) changes.push({ type: end.type, ...why });
  } else if (end === undefined && job.spec.suspend === true) {
    changes.push({ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' });
  } else if (job.status?.conditions?.some(({ type, status }) => type === 'Suspended' && status === 'True')) {
    changes.push({ type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' });
  }
  return mergeConditions(job.status?.conditions, changes, at);
}

function completedIndexes(job: Job, { succeeded }: JobPods): Pick<JobStatus, 'completedIndexes'> {
  if (job.spec.completionMode !== 'Indexed') return {};
  const all = new Set(parseIndexes(job.status?.completedIndexes));
  for (const pod of succeeded) all.add(indexOf(pod) ?? 0);
  return all.size === 0 ? {} : { completedIndexes: printIndexes(all) };
}

const completionOf = ({ status }: Job): Pick<JobStatus, 'completionTime'> =>
  status?.completionTime === undefined ? {} : { completionTime: status.completionTime };

const numbers = (counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

const dropEmptyUncounted = ({ succeeded, failed }: Uncounted): Partial<Uncounted> => ({
  ...(succeeded.length === 0 ? {} : { succeeded }),
  ...(failed.length === 0 ? {} : { failed }),
});

const uidOfJobPod = ({ metadata }: Pod): string => metadata.uid ?? '';

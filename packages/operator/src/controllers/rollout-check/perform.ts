import {
  type BatchJob,
  batchJobs,
  type NodeRolloutStatus,
  parseAge,
  type RolloutCheck,
  seconds,
  toTimestamp,
} from '@nodewright/apis';
import {
  buildCheckJob,
  buildWebhookBody,
  checkJobName,
  type CheckPlace,
  type CheckTask,
  type CheckVerdict,
  dropResultsOfOthers,
  findCheckResult,
  judgeJob,
  judgePrometheusAnswer,
  judgeWebhookAnswer,
  placeOfMember,
  prometheusUrl,
  recordVerdict,
  withCheckResult,
} from '@nodewright/engine';
import { ApiError, type Clock, type KubernetesClient, type WebClient } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { saveRolloutStatus } from '../../state/rollout-status.ts';
import type { Objects } from '../../state/objects.ts';
import type { ObservedChecks } from './observe.ts';
import { reportVerdict } from './report.ts';

export type CheckDeps = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly web: WebClient;
  readonly clusterName: string;
  readonly clock: Clock;
  readonly publish: Publisher;
};

const queryTimeoutMs = seconds(10);

/** Does one task and stores what came of it. */
export async function performCheck(
  deps: CheckDeps,
  seen: ObservedChecks,
  task: CheckTask,
  signal: AbortSignal,
): Promise<void> {
  if (task.kind === 'run') return runJob(deps, seen, task);
  const verdict =
    task.kind === 'ask' ? await askCheck(deps, seen, task.check, signal) : await lookAtJob(deps, seen, task);
  if (verdict === undefined || signal.aborted) return;
  const place = task.kind === 'ask' ? { check: task.check.name } : placeOfMember(task.check, task.member);
  await saveVerdict(deps, seen, place, verdict);
}

async function askCheck(
  { web, clusterName }: CheckDeps,
  { rollout, members }: ObservedChecks,
  check: RolloutCheck,
  signal: AbortSignal,
): Promise<CheckVerdict | undefined> {
  const { prometheus, webhook } = check;
  if (prometheus !== undefined) {
    const url = prometheusUrl(prometheus);
    return judgePrometheusAnswer(prometheus, await web.send({ method: 'GET', url, timeoutMs: queryTimeoutMs }, signal));
  }
  if (webhook === undefined) return undefined;
  const { url, timeout } = webhook;
  const body = buildWebhookBody(rollout, { check, members, cluster: clusterName });
  const timeoutMs = timeout === undefined ? queryTimeoutMs : parseAge(timeout);
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return judgeWebhookAnswer(await web.send({ method: 'POST', url, headers, body, timeoutMs }, signal));
}

type JobTask = Extract<CheckTask, { kind: 'run' | 'look' }>;

/** A run is noted before its Job is made: whoever comes after a crash makes the same Job, and never a second one. */
async function runJob(deps: CheckDeps, seen: ObservedChecks, task: JobTask): Promise<void> {
  const { check, member, run } = task;
  const place = placeOfMember(check, member);
  await saveRolloutStatus(deps.objects, seen.rollout.metadata.name, (status) => {
    const before = findCheckResult(status, place);
    const { state = 'Pending', inARow = 0, detail = 'the Job runs' } = before ?? {};
    const at = toTimestamp(deps.clock.now());
    return withCheckResult(dropResultsOfOthers(status, seen.members), {
      ...place,
      state,
      inARow,
      detail,
      at,
      run,
      isRunning: true,
    });
  });
  await makeJob(deps, seen, task);
}

/** The Job of a run that is under way; one that is not there is made, or made again. */
async function makeJob(deps: CheckDeps, seen: ObservedChecks, task: JobTask): Promise<void> {
  const { rollout } = seen;
  try {
    await deps.client.create(batchJobs, buildCheckJob({ rollout, ...task }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.reason === 'AlreadyExists') return;
    if (error.retry === 'soon' || error.code >= 500 || error.code === 429) throw error;
    const detail = `the Job cannot be made: ${error.message}`;
    await saveVerdict(deps, seen, placeOfMember(task.check, task.member), { state: 'CannotBeAsked', detail });
  }
}

/** The verdict of a Job that has ended. That its pod got onto the node is noted while it runs: later the pod may be gone. */
async function lookAtJob(deps: CheckDeps, seen: ObservedChecks, task: JobTask): Promise<CheckVerdict | undefined> {
  const job = findJob(seen, task);
  if (job === undefined) return undefined;
  const place = placeOfMember(task.check, task.member);
  const known = findCheckResult(seen.rollout.status ?? {}, place);
  const isPlaced = known?.isPlaced === true || hasPodOf(deps.objects, job, task.member.node);
  const verdict = judgeJob(job, isPlaced);
  if (verdict === undefined && isPlaced && known?.isPlaced !== true)
    await saveRolloutStatus(deps.objects, seen.rollout.metadata.name, (status) => {
      const result = findCheckResult(status, place);
      return result === undefined ? status : withCheckResult(status, { ...result, isPlaced });
    });
  return verdict;
}

const hasPodOf = ({ pods }: Objects, { metadata: { uid } }: BatchJob, node: string): boolean =>
  pods.by('node', node).some(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid) === true);

export const findJob = ({ rollout, jobs: found }: ObservedChecks, task: JobTask): BatchJob | undefined =>
  found.find(({ metadata }) => metadata.name === checkJobName({ rollout, ...task }));

/** Jobs that are under way and have disappeared are made again. */
export async function replaceMissingJob(deps: CheckDeps, seen: ObservedChecks, task: CheckTask): Promise<void> {
  if (task.kind === 'look' && findJob(seen, task) === undefined) await makeJob(deps, seen, task);
}

/** Takes away Jobs that nobody waits for. One that failed stays for a day, or until it runs again: people want its log. */
export async function removeJobs({ client }: CheckDeps, remove: readonly BatchJob[]): Promise<void> {
  for (const { metadata } of remove) {
    const key = { name: metadata.name, namespace: metadata.namespace ?? 'default' };
    try {
      await client.delete(batchJobs, key, { propagationPolicy: 'Background' });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 404) throw error;
    }
  }
}

async function saveVerdict(
  deps: CheckDeps,
  { rollout }: ObservedChecks,
  place: CheckPlace,
  verdict: CheckVerdict,
): Promise<void> {
  const now = deps.clock.now();
  const change = (status: NodeRolloutStatus) => recordVerdict(status, place, { verdict, now });
  await saveRolloutStatus(deps.objects, rollout.metadata.name, change);
  deps.publish(reportVerdict(rollout, place, verdict));
}

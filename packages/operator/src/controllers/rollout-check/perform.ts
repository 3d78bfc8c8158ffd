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
  type CheckPlace,
  type CheckVerdict,
  dropResultsOfOthers,
  findCheckResult,
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
import type { CheckAction, JobRun } from './plan.ts';
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

/** Does one action and stores what came of it. */
export async function performCheck(
  deps: CheckDeps,
  seen: ObservedChecks,
  action: CheckAction,
  signal: AbortSignal,
): Promise<void> {
  switch (action.kind) {
    case 'ask': {
      const verdict = await askCheck(deps, seen, action.check, signal);
      if (verdict !== undefined && !signal.aborted)
        await saveVerdict(deps, seen, { check: action.check.name }, verdict);
      return;
    }
    case 'run':
      return runJob(deps, seen, action.run);
    case 'makeJob':
      return makeJob(deps, seen, action.run);
    case 'notePod':
      return notePod(deps, seen, action.place);
    case 'judge':
      return saveVerdict(deps, seen, action.place, action.verdict);
  }
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

/** A run is noted before its Job is made: after a crash the next process makes the same Job, and never a second one. */
async function runJob(deps: CheckDeps, seen: ObservedChecks, jobRun: JobRun): Promise<void> {
  const { check, member, run } = jobRun;
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
  await makeJob(deps, seen, jobRun);
}

/** The Job of a run that is under way; one that is not there is made, or made again. */
async function makeJob(deps: CheckDeps, seen: ObservedChecks, run: JobRun): Promise<void> {
  const { rollout } = seen;
  try {
    await deps.client.create(batchJobs, buildCheckJob({ rollout, ...run }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.reason === 'AlreadyExists') return;
    if (error.retry === 'soon' || error.code >= 500 || error.code === 429) throw error;
    const detail = `the Job cannot be made: ${error.message}`;
    await saveVerdict(deps, seen, placeOfMember(run.check, run.member), { state: 'CannotBeAsked', detail });
  }
}

const notePod = ({ objects }: CheckDeps, { rollout }: ObservedChecks, place: CheckPlace): Promise<void> =>
  saveRolloutStatus(objects, rollout.metadata.name, (status) => {
    const result = findCheckResult(status, place);
    return result === undefined ? status : withCheckResult(status, { ...result, isPlaced: true });
  });

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

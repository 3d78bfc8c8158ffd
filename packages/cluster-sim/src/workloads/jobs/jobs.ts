import { fromTimestamp, instant, type Instant, type Pod, pods } from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import { type ClusterControlPlane, countingGapMs, type Recheck } from '../../control-plane/control-plane.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { byController, controllerKey } from '../../objects/ownership.ts';
import { PodControl } from '../pod-control.ts';
import { canonicalText } from '../../objects/template-hash.ts';
import { isTracked, type JobPods, sortPods, verdictOn } from './counted.ts';
import { finishedCondition, type Job, jobs, type JobStatus, trackingFinalizer } from './job.ts';
import { jobPod } from './job-pod.ts';
import { type JobPlan, planJob } from './plan.ts';
import { statusOfJob } from './status.ts';

/** Runs the pods of Jobs until enough have succeeded, or too many have failed. */
export function runJobs(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const { client, clock } = options;
  const known = watches.of(jobs);
  const allPods = watches.of(pods);
  const podControl = new PodControl(control, jobs);

  const reconcile = async (key: string): Promise<Recheck> => {
    const job = known.get(key);
    if (job === undefined || job.metadata.deletionTimestamp !== undefined) return releaseOrphans(key, job);
    const owned = allPods.by(byController, job.metadata.uid ?? '');
    const held = podControl.heldUntil(key);
    if (held !== undefined) return held;
    const sorted = sortPods(job, owned);
    const plan = planJob(job, sorted, owned, clock.now());
    const status = statusOfJob(job, owned, sorted, plan.end, clock.now());
    await report(job, status);
    await letGo(job, owned, sorted, status);
    await perform(job, plan);
    return soonestOf(plan.due, await expire(job));
  };

  const perform = async (job: Job, { create, indexes, remove }: JobPlan): Promise<void> => {
    for (let count = 0; count < create; count += 1) await podControl.create(job, jobPod(job, indexes[count]));
    for (const pod of remove) await podControl.delete(job, pod);
  };

  const report = async (job: Job, status: JobStatus): Promise<void> => {
    if (canonicalText(job.status) === canonicalText(status)) return;
    const patch = [
      { op: 'test', path: '/metadata/resourceVersion', value: job.metadata.resourceVersion },
      { op: 'add', path: '/status', value: status },
    ];
    await unlessGone(client.patch(jobs, keyOfMeta(job.metadata), { type: 'json', patch }, { subresource: 'status' }));
    const end = finishedCondition({ ...job, status });
    if (end === undefined || finishedCondition(job) !== undefined) return;
    const isComplete = end.type === 'Complete';
    podControl.events.publish({
      kind: jobs,
      about: job,
      type: isComplete ? 'Normal' : 'Warning',
      reason: isComplete ? 'Completed' : (end.reason ?? 'Failed'),
      message: isComplete ? 'Job completed' : (end.message ?? ''),
    });
  };

  /** Pods that are noted, and those that do not count, need not be held any more. */
  const letGo = async (job: Job, owned: readonly Pod[], { failed }: JobPods, status: JobStatus): Promise<void> => {
    const noted = status.uncountedTerminatedPods ?? {};
    const uids = new Set([...(noted.succeeded ?? []), ...(noted.failed ?? [])]);
    const ignored = new Set(failed.filter((pod) => verdictOn(job, pod) === 'Ignore'));
    for (const pod of owned) {
      if (isTracked(pod) && (uids.has(pod.metadata.uid ?? '') || ignored.has(pod))) await release(pod);
    }
  };

  const release = async (pod: Pod): Promise<void> => {
    const finalizers = (pod.metadata.finalizers ?? []).filter((each) => each !== trackingFinalizer);
    const patch = { metadata: { uid: pod.metadata.uid, resourceVersion: pod.metadata.resourceVersion, finalizers } };
    const released = client.patch(pods, keyOfMeta(pod.metadata), { type: 'merge', patch });
    await unlessRefusedAs('Conflict', unlessGone(released));
  };

  /** Pods of a job that is gone wait for nobody. */
  const releaseOrphans = async (key: string, job: Job | undefined): Promise<Recheck> => {
    const orphans = allPods.all().filter((pod) => isTracked(pod) && controllerKey(pod, 'Job') === key);
    for (const pod of orphans) {
      if (job === undefined || pod.metadata.deletionTimestamp !== undefined) await release(pod);
    }
    return undefined;
  };

  /** A finished job goes when its time is over. */
  const expire = async (job: Job): Promise<Recheck> => {
    const ttl = job.spec.ttlSecondsAfterFinished;
    const finishedAt = finishedCondition(job)?.lastTransitionTime;
    if (ttl === undefined || finishedAt === undefined) return undefined;
    const due = instant(fromTimestamp(finishedAt) + ttl * 1000);
    if (due > clock.now()) return due;
    await unlessGone(client.delete(jobs, keyOfMeta(job.metadata), { propagationPolicy: 'Background' }));
    return undefined;
  };

  const keys = control.controller('jobs', reconcile, countingGapMs);
  known.onChange((before, after) => keys.add(objectKeyText((after ?? before) as Job)));
  allPods.onChange((before, after) => {
    const owner = controllerKey((after ?? before) as Pod, 'Job');
    if (owner !== undefined) keys.add(owner);
  });
}

function soonestOf(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

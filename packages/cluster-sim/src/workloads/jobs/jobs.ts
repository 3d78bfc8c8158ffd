import { type Pod, pods } from '@nodewright/apis';
import { type IndexBy, objectKeyText } from '@nodewright/runtime';
import { type ClusterControlPlane, countingGapMs, type Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { byController, controllerKey } from '../../objects/ownership.ts';
import { PodControl } from '../pod-control.ts';
import { type Job, jobs } from './job.ts';
import { perform } from './perform.ts';
import { type JobSnapshot, plan } from './plan.ts';

/** Runs the pods of Jobs until enough have succeeded, or too many have failed. */
export function runJobs(control: ClusterControlPlane): void {
  const { client } = control.options;
  const podControl = new PodControl(control, jobs);
  const keys = startPlannedController(control, {
    name: 'jobs',
    gapMs: countingGapMs,
    observe: (key) => observe(control, podControl, key),
    plan,
    perform: (action, { job }) => perform(action, job, { client, podControl }),
  });
  watchJobs(control, keys);
}

/** The uid of a job that is gone is not known any more, so its pods are found by its name. */
function observe({ watches, options }: ClusterControlPlane, podControl: PodControl, key: string): JobSnapshot {
  const job = watches.of(jobs).get(key);
  const now = options.clock.now();
  if (job === undefined || job.metadata.deletionTimestamp !== undefined) {
    return { job, owned: watches.of(pods).by(byJobKey, key), heldUntil: undefined, now };
  }
  const owned = watches.of(pods).by(byController, job.metadata.uid ?? '');
  return { job, owned, heldUntil: podControl.heldUntil(key), now };
}

const byJobKey: IndexBy<Pod> = (pod) => {
  const key = controllerKey(pod, 'Job');
  return key === undefined ? [] : [key];
};

/** A job is looked at when it or one of its pods changes. */
function watchJobs({ watches }: ClusterControlPlane, keys: Keys): void {
  watches.of(jobs).onChange((before, after) => keys.add(objectKeyText((after ?? before) as Job)));
  watches.of(pods).onChange((before, after) => {
    const owner = controllerKey((after ?? before) as Pod, 'Job');
    if (owner !== undefined) keys.add(owner);
  });
}

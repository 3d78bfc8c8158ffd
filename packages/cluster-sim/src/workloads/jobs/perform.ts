import { type Pod, pods } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import type { PodControl } from '../pod-control.ts';
import { type Job, jobs, type JobStatus, trackingFinalizer } from './job.ts';
import type { JobAction } from './plan.ts';

export type JobWriters = { readonly client: KubernetesClient; readonly podControl: PodControl };

/** @param job undefined when only pods of it are left: then they are released, and that is all */
export async function perform(action: JobAction, job: Job | undefined, writers: JobWriters): Promise<void> {
  const { client, podControl } = writers;
  if (action.kind === 'releasePod') return releasePod(client, action.pod);
  if (job === undefined) return;
  switch (action.kind) {
    case 'writeStatus':
      return replaceStatus(client, job, action.status);
    case 'reportEnd':
      return podControl.events.publish({ kind: jobs, about: job, ...action.report });
    case 'createPod':
      return podControl.create(job, action.pod);
    case 'deletePod':
      return podControl.delete(job, action.pod);
    case 'deleteJob':
      await unlessGone(client.delete(jobs, keyOfMeta(job.metadata), { propagationPolicy: 'Background' }));
  }
}

/** The lock refuses counts that were made from an outdated status. */
async function replaceStatus(client: KubernetesClient, job: Job, status: JobStatus): Promise<void> {
  const patch = [
    { op: 'test', path: '/metadata/resourceVersion', value: job.metadata.resourceVersion },
    { op: 'add', path: '/status', value: status },
  ];
  await unlessGone(client.patch(jobs, keyOfMeta(job.metadata), { type: 'json', patch }, { subresource: 'status' }));
}

async function releasePod(client: KubernetesClient, { metadata }: Pod): Promise<void> {
  const finalizers = (metadata.finalizers ?? []).filter((each) => each !== trackingFinalizer);
  const patch = { metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion, finalizers } };
  const released = client.patch(pods, keyOfMeta(metadata), { type: 'merge', patch });
  await unlessRefusedAs('Conflict', unlessGone(released));
}

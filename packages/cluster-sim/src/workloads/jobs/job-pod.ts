import type { Pod } from '@nodewright/apis';
import { podFromTemplate } from '../pod-from-template.ts';
import { indexKey, type Job, jobs, trackingFinalizer } from './job.ts';

/** A pod of the job, held until it is counted; with an index, one that knows which part of the work is its own. */
export function jobPod(job: Job, index: number | undefined): Pod {
  const pod = podFromTemplate(job.spec.template, { type: jobs, object: job });
  const { metadata, spec } = pod;
  const tracked = { ...metadata, finalizers: [...(metadata.finalizers ?? []), trackingFinalizer] };
  if (index === undefined) return { ...pod, metadata: tracked };
  const label = { [indexKey]: String(index) };
  return {
    ...pod,
    metadata: {
      ...tracked,
      generateName: `${job.metadata.name}-${index}-`,
      labels: { ...metadata.labels, ...label },
      annotations: { ...metadata.annotations, ...label },
    },
    spec: { ...spec, hostname: `${job.metadata.name}-${index}` },
  };
}

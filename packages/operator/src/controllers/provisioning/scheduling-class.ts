import { createHash } from 'node:crypto';
import { oncePerObject, type Pod } from '@nodewright/apis';
import { podName, schedulingDemand } from '@nodewright/engine';
import type { Requirements } from '@nodewright/requirements';

/** A short text that is equal for pods which ask for the same: the pods of one workload, as long as its template stays the same. */
export function schedulingClassOf(pod: Pod, volumes: ReadonlyMap<string, readonly Requirements[]>): string {
  const asked = volumes.get(podName(pod));
  return asked === undefined ? classWithoutVolumes(pod) : shortHash(schedulingDemand(pod, asked));
}

const classWithoutVolumes = oncePerObject((pod: Pod) => shortHash(schedulingDemand(pod)));

/** Twelve hexadecimal digits. */
export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

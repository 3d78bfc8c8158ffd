import { type CapacityBuffer, readOwn } from '@nodewright/apis';
import type { Resources } from '../instance-types/instance-type.ts';
import { resourcesOf } from '../instance-types/resources.ts';

/** What one unit of a buffer asks for, and how many replicas its workload wants; none for a PodTemplate. */
export type BufferUnit = { readonly requests: Resources; readonly workloadReplicas?: number };

/**
 * How many units a buffer has: the greater one of `replicas` and `percentage`, as far as `limits` allow. Without
 * either, as many as the limits hold. A percentage of a workload that wants none says nothing.
 */
export function bufferSize({ replicas, percentage, limits }: CapacityBuffer['spec'], unit: BufferUnit): number {
  const { requests, workloadReplicas = 0 } = unit;
  const share = percentage === undefined || workloadReplicas === 0 ? [] : [(workloadReplicas * percentage) / 100];
  const wished = [...(replicas === undefined ? [] : [replicas]), ...share.map(Math.ceil)];
  const room = unitsWithin(resourcesOf(limits), requests);
  if (wished.length === 0) return room ?? 0;
  return Math.min(Math.max(...wished), room ?? Infinity);
}

const mostBufferUnits = 2 ** 31 - 1;

/** `undefined` when the limits speak of nothing that a unit asks for. */
function unitsWithin(limits: Resources, requests: Resources): number | undefined {
  const limited = Object.entries(limits).filter(([name]) => (readOwn(requests, name) ?? 0) > 0);
  if (limited.length === 0) return undefined;
  return Math.min(
    mostBufferUnits,
    ...limited.map(([name, limit]) => Math.max(0, Math.floor(limit / (readOwn(requests, name) ?? 1)))),
  );
}

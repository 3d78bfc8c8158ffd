import type { SchedulerNode } from '../cluster.ts';

/** Why a node cannot take the pod, in kube-scheduler's words; nothing when it can. */
export type SchedulerFilter = (state: SchedulerNode) => readonly string[];

export const noRefusal: readonly string[] = [];

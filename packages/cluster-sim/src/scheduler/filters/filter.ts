import type { NodeState } from '../cluster.ts';

/** Why a node cannot take the pod, in kube-scheduler's words; nothing when it can. */
export type NodeFilter = (state: NodeState) => readonly string[];

export const fits: readonly string[] = [];

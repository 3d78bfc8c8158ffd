import type { ApiObject } from '../storage/api-object.ts';

/** Amounts of cpu and memory as quantities. */
export type MeasuredAmounts = { readonly cpu: string; readonly memory: string };

export type ContainerUsage = { readonly name: string; readonly usage: MeasuredAmounts };

/** Measures what runs. `undefined` for what is not measured, such as a pod that does not run. */
export type ResourceUsage = {
  /** @param pods those on the node */
  readonly ofNode: (node: ApiObject, pods: readonly ApiObject[]) => MeasuredAmounts | undefined;
  readonly ofPod: (pod: ApiObject) => readonly ContainerUsage[] | undefined;
};

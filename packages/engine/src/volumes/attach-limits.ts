import type { CSINode } from '@nodewright/apis';

/** How many volumes the node may have attached, by CSI driver; `undefined` while no driver has said. */
export function attachLimitsOf(csiNode: CSINode | undefined): ReadonlyMap<string, number> | undefined {
  const drivers = csiNode?.spec?.drivers ?? [];
  const limits = drivers.flatMap(({ name, allocatable }) =>
    allocatable?.count === undefined ? [] : [[name, allocatable.count] as const],
  );
  return limits.length === 0 ? undefined : new Map(limits);
}

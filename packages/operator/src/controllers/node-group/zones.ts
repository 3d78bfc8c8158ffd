import type { NodeGroupSnapshot } from './snapshot.ts';

export type ZoneSurge = {
  readonly zone: string;
  readonly nodes: number;
  /** Instances more than now, at most. */
  readonly surge: number;
  readonly freeAddresses: number;
};

/** The surge is spread by the service; at most so many may come per zone. */
export function surgeByZone({ scaling }: NodeGroupSnapshot, surge: number): readonly ZoneSurge[] {
  const zones = scaling?.zones ?? [];
  return zones.map((zone) => ({
    zone,
    nodes: scaling?.instances.filter((instance) => instance.zone === zone).length ?? 0,
    surge: Math.ceil(surge / zones.length),
    freeAddresses: (scaling?.subnets ?? [])
      .filter((subnet) => subnet.zone === zone)
      .reduce((sum, { freeAddresses }) => sum + freeAddresses, 0),
  }));
}

import type { Instant } from '@nodewright/apis';
import type { Requirements } from '@nodewright/requirements';

/** Resource name to a whole number of its unit: `cpu` in millicores, everything else in units (bytes, counts). */
export type Resources = Readonly<Record<string, number>>;

export type CapacityType = 'on-demand' | 'spot' | 'reserved';

/** Why an offering is not available. */
export type Shortage = {
  /** A clause without an end: `out of capacity`. */
  readonly cause: string;
  /** What one could do about it: `allow other types`. */
  readonly fix?: string;
  /** When it is taken to be over. */
  readonly until?: Instant;
  /** True where it is a matter of the zone. */
  readonly ofZone?: true;
};

/** One way to buy an instance type. */
export type Offering = {
  readonly zone: string;
  readonly capacityType: CapacityType;
  /** Millionths of a US dollar per hour. */
  readonly priceMicroUsdPerHour: number;
  /** False while EC2 is known to be out of it. */
  readonly available: boolean;
  /** True where it is not available for want of a known price alone. */
  readonly unpriced?: true;
  /** The NodeOverlay that its price is from. */
  readonly overlaidBy?: string;
  /** Of an offering that is not available, where that is known: why. */
  readonly shortage?: Shortage;
  /** What a node bought this way carries beyond the type's own labels: zone, capacity type, zone id, reservation. */
  readonly requirements: Requirements;
  /** Of a `reserved` offering: the capacity reservation it is from, and how many instances that still has room for. */
  readonly reservation?: { readonly id: string; readonly remaining: number };
  /** What a node bought this way has otherwise than the type says. */
  readonly overrides?: OfferingOverrides;
};

/** Amounts in place of those of the type, resource by resource; a resource that is not listed is as the type has it. */
export type OfferingOverrides = {
  readonly capacity?: Resources;
  /** What kubelet, system and eviction threshold keep back together. */
  readonly overhead?: Resources;
};

export type InstanceType = {
  readonly name: string;
  /** The labels a node of this type carries; several values mean any of them. */
  readonly requirements: Requirements;
  readonly offerings: readonly Offering[];
  readonly capacity: Resources;
  /** Capacity less what kubelet, system and eviction threshold keep back. */
  readonly allocatable: Resources;
  /** NodeOverlays that gave it resources, the heaviest first. */
  readonly overlaidBy?: readonly string[];
  /** How many volumes a node may have attached, by CSI driver; a driver that is not listed has no limit. */
  readonly attachLimits?: ReadonlyMap<string, number>;
};

import type { Instant } from '@nodewright/apis';

/** What a message of the queue announces, under the names that metrics carry. */
export type InterruptionKind =
  | 'spot_interrupted'
  | 'rebalance_recommendation'
  | 'instance_stopped'
  | 'instance_terminated'
  | 'scheduled_change'
  | 'capacity_reservation_interrupted'
  | 'no_op';

export type Interruption = {
  readonly kind: InterruptionKind;
  /** `i-0123456789abcdef0`; also of others than this cluster's. */
  readonly instanceIds: readonly string[];
  /** When it was announced; a message that is none of ours may not say. */
  readonly announcedAt?: Instant;
};

export type QueuedMessage = {
  /** Names this receipt of the message; worth nothing once the message was received again. */
  readonly handle: string;
  readonly content: Interruption | { readonly kind: 'malformed'; readonly because: string };
};

/**
 * The queue in which the cloud announces interruptions of instances.
 *
 * Guarantees: at most ten messages come at once, in any order. A message is hidden for twenty seconds from the moment in
 * which it is received, and comes again until it is removed. A removal may be repeated. A receiver that is aborted before
 * it begins takes no message.
 *
 * Errors: a `CloudError` when the queue is not there or cannot be asked. The next call looks for it anew.
 *
 * `describeInterruptionContract` of the testkit has this as tests.
 */
export interface InterruptionPort {
  /**
   * Waits for messages for at most 20 seconds; an empty list when none came. A message that is not
   * removed within 20 seconds is delivered again, to any receiver.
   */
  receive(signal: AbortSignal): Promise<readonly QueuedMessage[]>;
  /** Removes a message that is handled completely. */
  remove(message: QueuedMessage, signal: AbortSignal): Promise<void>;
}

/** Takes news about capacity that does not come from a refused launch. The next launch respects it. */
export interface CapacityPort {
  /** Spot capacity is being taken back: nothing is bought there for three minutes. */
  spotTakenBack(offering: { readonly instanceType: string; readonly zone: string }): void;
  /** The owner of a capacity reservation takes it back: it has no room left. */
  reservationTakenBack(reservationId: string): void;
  /** A node of this type and image has so much memory: the next ones are expected to have as much. */
  nodeMemorySeen(seen: NodeMemory): void;
}

export type NodeMemory = { readonly instanceType: string; readonly imageId: string; readonly bytes: number };

/** What the cloud finds wrong with an instance: its software, what it runs on, or something planned for it. */
export type HealthCategory = 'InstanceStatus' | 'SystemStatus' | 'EventStatus';

export type UnhealthyInstance = { readonly instanceId: string; readonly categories: readonly HealthCategory[] };

export interface InstanceHealthPort {
  /** Instances of the account, of this cluster or not, that are unhealthy for long enough, by id. */
  unhealthy(signal: AbortSignal): Promise<readonly UnhealthyInstance[]>;
}

/** A condition of nodes that the cloud takes for a defect once it lasts for so long. */
export type RepairPolicy = {
  /** `Ready`, `NetworkingReady`. */
  readonly conditionType: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly tolerationMs: number;
};

import type { HealthCategory, InterruptionKind } from '@nodewright/ports';
import { durationBuckets, type Metrics } from '@nodewright/runtime';

/** What the interruption queue and EC2's health checks said. */
export type InterruptionCounters = {
  /** A message that was understood. `waitedMs`: since it was announced, where it says when. */
  interruptionReceived(kind: InterruptionKind, waitedMs: number | undefined): void;
  interruptionRemoved(): void;
  /** Once for each time that an instance becomes unhealthy. */
  instanceUnhealthy(category: HealthCategory): void;
};

export function interruptionCounters(metrics: Metrics): InterruptionCounters {
  const received = metrics.counter({
    name: 'karpenter_interruption_received_messages_total',
    help: 'Messages received from the interruption queue, by what they announce',
    labels: ['message_type'],
  });
  const removed = metrics.counter({
    name: 'karpenter_interruption_deleted_messages_total',
    help: 'Messages deleted from the interruption queue',
  });
  const waited = metrics.histogram({
    name: 'karpenter_interruption_message_queue_duration_seconds',
    help: 'From the announcement of an interruption until its message is received',
    buckets: durationBuckets,
  });
  const unhealthy = metrics.counter({
    name: 'karpenter_interruption_instance_status_unhealthy_total',
    help: 'Instances that EC2 found unhealthy, by what is wrong',
    labels: ['category'],
  });
  return {
    interruptionReceived: (kind, waitedMs) => {
      received.add({ message_type: kind });
      if (waitedMs !== undefined) waited.observe({}, waitedMs / 1_000);
    },
    interruptionRemoved: () => removed.add({}),
    instanceUnhealthy: (category) => unhealthy.add({ category }),
  };
}

import type { EventRule } from './event-bus.ts';

/** The rules that an installation of Karpenter makes for the queue of its cluster. */
export function clusterRules(clusterName: string, queueArn: string): readonly EventRule[] {
  const rule = (name: string, source: string, detailType: string): EventRule => ({
    name: `Karpenter-${clusterName}-${name}`,
    pattern: JSON.stringify({ source: [source], 'detail-type': [detailType] }),
    enabled: true,
    targets: [{ id: 'KarpenterInterruptionQueueTarget', arn: queueArn }],
  });
  return [
    rule('ScheduledChangeRule', 'aws.health', 'AWS Health Event'),
    rule('SpotInterruptionRule', 'aws.ec2', 'EC2 Spot Instance Interruption Warning'),
    rule('RebalanceRule', 'aws.ec2', 'EC2 Instance Rebalance Recommendation'),
    rule('InstanceStateChangeRule', 'aws.ec2', 'EC2 Instance State-change Notification'),
    rule('CapacityReservationInterruptionRule', 'aws.ec2', 'EC2 Capacity Reservation Instance Interruption Warning'),
  ];
}

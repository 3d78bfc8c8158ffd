import { toTimestamp, type Instant } from '@nodewright/apis';
import { arnOf, type AwsAccount } from '../account.ts';
import type { AwsEvent } from './event.ts';

/** What EC2 and AWS Health tell of an instance, as EventBridge delivers it. */
export const instanceEvents = (account: AwsAccount) => {
  const ofEc2 = (detailType: string, instanceId: string, more: AwsEvent['detail'] = {}): AwsEvent => ({
    source: 'aws.ec2',
    detailType,
    resources: [arnOf(account, 'ec2', `instance/${instanceId}`)],
    detail: { 'instance-id': instanceId, ...more },
  });
  return {
    stateChange: (instanceId: string, state: string): AwsEvent =>
      ofEc2('EC2 Instance State-change Notification', instanceId, { state }),
    spotInterruption: (instanceId: string): AwsEvent =>
      ofEc2('EC2 Spot Instance Interruption Warning', instanceId, { 'instance-action': 'terminate' }),
    rebalance: (instanceId: string): AwsEvent => ofEc2('EC2 Instance Rebalance Recommendation', instanceId),
    reservationInterruption: (instanceId: string): AwsEvent =>
      ofEc2('EC2 Capacity Reservation Instance Interruption Warning', instanceId, { 'instance-action': 'terminate' }),
    scheduledChange: (instanceId: string, change: ScheduledChange): AwsEvent =>
      buildHealthEvent(account, instanceId, change),
  };
};

export type InstanceEvents = ReturnType<typeof instanceEvents>;

export type ScheduledChange = {
  /** EC2's word for it, `instance-retirement`. */
  readonly code: string;
  readonly startsAt: Instant;
  /** `closed` once it is over, or called off. */
  readonly status: 'upcoming' | 'closed';
};

function buildHealthEvent(
  account: AwsAccount,
  instanceId: string,
  { code, startsAt, status }: ScheduledChange,
): AwsEvent {
  const typeCode = `AWS_EC2_${code.replaceAll('-', '_').toUpperCase()}_SCHEDULED`;
  return {
    source: 'aws.health',
    detailType: 'AWS Health Event',
    resources: [instanceId],
    detail: {
      eventArn: arnOf({ ...account, id: '' }, 'health', `event/EC2/${typeCode}/${typeCode}_${instanceId.slice(2)}`),
      service: 'EC2',
      eventTypeCode: typeCode,
      eventTypeCategory: 'scheduledChange',
      statusCode: status,
      startTime: toTimestamp(startsAt),
      eventDescription: [{ language: 'en_US', latestDescription: `${code} of ${instanceId} is ${status}.` }],
      affectedEntities: [{ entityValue: instanceId }],
      affectedAccount: account.id,
    },
  };
}

import { fromTimestamp } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { parseMessage } from './parse-message.ts';

const time = '2024-01-28T16:00:00Z';
const announcedAt = fromTimestamp(time);

const event = (source: string, detailType: string, detail: object, more: object = {}) =>
  JSON.stringify({ version: '0', id: 'e', source, 'detail-type': detailType, time, resources: [], detail, ...more });

const ec2 = (detailType: string, detail: object) => event('aws.ec2', detailType, detail);
const state = (to: string) => ec2('EC2 Instance State-change Notification', { 'instance-id': 'i-1', state: to });
const health = (more: object = {}) =>
  event('aws.health', 'AWS Health Event', {
    service: 'EC2',
    eventTypeCategory: 'scheduledChange',
    affectedEntities: [{ entityValue: 'i-1' }, { entityValue: 'i-2' }],
    ...more,
  });

test.each([
  ['EC2 Spot Instance Interruption Warning', 'spot_interrupted'],
  ['EC2 Instance Rebalance Recommendation', 'rebalance_recommendation'],
  ['EC2 Capacity Reservation Instance Interruption Warning', 'capacity_reservation_interrupted'],
])('%s is %s', (detailType, kind) => {
  const body = ec2(detailType, { 'instance-id': 'i-1', 'instance-action': 'terminate' });
  expect(parseMessage(body)).toEqual({ kind, instanceIds: ['i-1'], announcedAt });
});

test.each([
  ['stopping', 'instance_stopped'],
  ['Stopped', 'instance_stopped'],
  ['shutting-down', 'instance_terminated'],
  ['TERMINATED', 'instance_terminated'],
  ['pending', 'no_op'],
  ['running', 'no_op'],
])('the state %s is %s', (to, kind) => {
  expect(parseMessage(state(to))).toMatchObject({ kind, instanceIds: kind === 'no_op' ? [] : ['i-1'] });
});

describe('an event of AWS Health', () => {
  test('about a scheduled change names every instance', () => {
    expect(parseMessage(health())).toEqual({ kind: 'scheduled_change', instanceIds: ['i-1', 'i-2'], announcedAt });
  });

  test.each([{ service: 'RDS' }, { eventTypeCategory: 'issue' }, { statusCode: 'closed' }])(
    'with %o is none',
    (more) => {
      expect(parseMessage(health(more)).kind).toBe('no_op');
    },
  );

  test('that names nobody concerns nobody', () => {
    expect(parseMessage(health({ affectedEntities: null }))).toMatchObject({
      kind: 'scheduled_change',
      instanceIds: [],
    });
  });
});

describe('no operation is', () => {
  test.each([
    ['an empty body', ''],
    ['an object without an envelope', '{}'],
    ['a notification of Auto Scaling', '{"Event":"autoscaling:TEST_NOTIFICATION","Service":"AWS Auto Scaling"}'],
    [
      'another version',
      event('aws.ec2', 'EC2 Instance Rebalance Recommendation', { 'instance-id': 'i-1' }, { version: '1' }),
    ],
    ['another source', event('aws.rds', 'EC2 Spot Instance Interruption Warning', { 'instance-id': 'i-1' })],
    ['another type', ec2('EC2 Fleet Instance Change', {})],
  ])('%s', (_, body) => {
    expect(parseMessage(body)).toMatchObject({ kind: 'no_op', instanceIds: [] });
  });
});

test.each(['no json', '[]', '"text"', '{"version":'])('%s is malformed', (body) => {
  expect(parseMessage(body).kind).toBe('malformed');
});

test('a message that does not say when has no time', () => {
  expect('announcedAt' in parseMessage('{"version":"0"}')).toBe(false);
});

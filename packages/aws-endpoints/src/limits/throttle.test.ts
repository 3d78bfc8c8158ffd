import { instant } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { Throttle, type ThrottledCall, type ThrottleOption } from './throttle.ts';

function anAccount(option?: ThrottleOption) {
  let now = instant(0);
  const throttle = new Throttle({ now: () => now }, option);
  return {
    pass: (seconds: number) => void (now = instant(now + seconds * 1000)),
    /** How many such calls are admitted, of so many. */
    admitted: (calls: number, call: Partial<ThrottledCall>): number =>
      Array.from({ length: calls }).filter(() =>
        throttle.admits({ service: 'ec2', operation: 'CreateFleet', input: {}, ...call }),
      ).length,
  };
}

const fleetOf = (TotalTargetCapacity: number) => ({ input: { TargetCapacitySpecification: { TotalTargetCapacity } } });
const ids = (count: number) => Array.from({ length: count }, (_, at) => `i-${at}`);

describe('the rate limits of EC2', () => {
  for (const { operation, input = {}, burst, perSecond } of [
    { operation: 'DescribeSubnets', burst: 100, perSecond: 20 },
    { operation: 'DescribeInstances', burst: 50, perSecond: 10 },
    { operation: 'DescribeInstances', input: { MaxResults: 100 }, burst: 100, perSecond: 20 },
    { operation: 'DescribeInstances', input: { Filters: [{ Name: 'tag-key' }] }, burst: 100, perSecond: 20 },
    { operation: 'CreateFleet', burst: 50, perSecond: 5 },
    { operation: 'CreateLaunchTemplate', burst: 50, perSecond: 5 },
    { operation: 'CreateTags', burst: 100, perSecond: 10 },
    { operation: 'RunInstances', input: { MaxCount: 1 }, burst: 5, perSecond: 2 },
    { operation: 'TerminateInstances', input: { InstanceIds: ['i-1'] }, burst: 100, perSecond: 5 },
  ]) {
    test(`${operation} ${JSON.stringify(input)}: ${burst} calls at once, then ${perSecond} a second`, () => {
      const account = anAccount('real');
      expect(account.admitted(200, { operation, input })).toBe(burst);
      account.pass(1);
      expect(account.admitted(200, { operation, input })).toBe(perSecond);
      account.pass(3_600);
      expect(account.admitted(200, { operation, input })).toBe(burst);
    });
  }

  test('each operation has a bucket of its own', () => {
    const account = anAccount('real');
    account.admitted(200, { operation: 'DescribeSubnets' });
    expect(account.admitted(1, { operation: 'DescribeImages' })).toBe(1);
  });

  test('a thousand instances are launched at once, then two a second, by any call', () => {
    const account = anAccount('real');
    expect(account.admitted(1, fleetOf(999))).toBe(1);
    expect(account.admitted(5, { operation: 'RunInstances', input: { MaxCount: 1 } })).toBe(1);
    account.pass(10);
    expect(account.admitted(1, fleetOf(21))).toBe(0);
    expect(account.admitted(1, fleetOf(20))).toBe(1);
  });

  test('a thousand instances are ended at once, then twenty a second', () => {
    const account = anAccount('real');
    const end = (count: number) =>
      account.admitted(1, { operation: 'TerminateInstances', input: { InstanceIds: ids(count) } });
    expect(end(1_000)).toBe(1);
    expect(end(1)).toBe(0);
    account.pass(1);
    expect(end(20)).toBe(1);
  });

  test('a call that is refused takes no tokens', () => {
    const account = anAccount('real');
    expect(account.admitted(3, fleetOf(2_000))).toBe(0);
    expect(account.admitted(50, fleetOf(1))).toBe(50);
  });

  test('an account that others use has a share', () => {
    expect(anAccount({ share: 0.1 }).admitted(200, {})).toBe(5);
  });

  test('without the option, and for other services, nothing is limited', () => {
    expect(anAccount().admitted(1_000, {})).toBe(1_000);
    expect(anAccount('real').admitted(1_000, { service: 'ssm', operation: 'GetParameters' })).toBe(1_000);
  });
});

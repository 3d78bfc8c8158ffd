import { minutes, seconds } from '@nodewright/apis';
import type { DescribeInstanceStatusResult } from '@aws-sdk/client-ec2';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { readPanicDelay } from './kernel-panic.ts';

const panic = ['(', '  sleep 180', '  echo 0 > /proc/sys/kernel/panic', '  echo c > /proc/sysrq-trigger', ') &'];

test.each<readonly [string, readonly string[], number | undefined]>([
  ['that waits first', panic, 180],
  ['at once', ['sysctl -w kernel.panic=0; echo c >/proc/sysrq-trigger'], 0],
  ['that the kernel restarts after', ['echo c > /proc/sysrq-trigger'], undefined],
  ['in a comment', ['sysctl -w kernel.panic=0', '# echo c > /proc/sysrq-trigger'], undefined],
  ['of another kind', ['sysctl -w kernel.panic=0', 'echo s > /proc/sysrq-trigger'], undefined],
])('a panic %s', (_fact, lines, wanted) => {
  expect(readPanicDelay(lines.join('\n'))).toBe(wanted === undefined ? undefined : seconds(wanted));
});

test('an instance whose script makes its kernel panic fails its check some minutes later', async () => {
  const { aws, clock } = await anEc2();
  const { call } = ec2Caller(aws);
  const UserData = Buffer.from(panic.join('\n')).toString('base64');
  await call('RunInstances', { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, UserData });
  const statusOf = async () => {
    const { InstanceStatuses } = (await call('DescribeInstanceStatus')) as DescribeInstanceStatusResult;
    return InstanceStatuses?.map(({ InstanceStatus, SystemStatus }) => [InstanceStatus?.Status, SystemStatus?.Status]);
  };
  await clock.advance(minutes(3));
  expect(await statusOf()).toEqual([['ok', 'ok']]);
  await clock.advance(minutes(3));
  expect(await statusOf()).toEqual([['impaired', 'ok']]);
});

import { expect, test } from 'vitest';
import { arnOf, iamArnOf } from './account.ts';

test.each([
  ['us-east-1', 'aws'],
  ['cn-north-1', 'aws-cn'],
  ['us-gov-west-1', 'aws-us-gov'],
])('ARNs of %s are in the partition %s', (region, partition) => {
  const account = { id: '111122223333', region };
  expect(arnOf(account, 'ec2', 'instance/i-1')).toBe(`arn:${partition}:ec2:${region}:111122223333:instance/i-1`);
  expect(iamArnOf(account, 'role/x')).toBe(`arn:${partition}:iam::111122223333:role/x`);
});

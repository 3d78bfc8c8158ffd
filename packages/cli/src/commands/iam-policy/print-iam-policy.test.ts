import { expect, test } from 'vitest';
import type { IamPolicyFlags } from './flags.ts';
import { printIamPolicy } from './print-iam-policy.ts';

const required = { clusterName: 'prod', region: 'us-east-1', accountId: '123456789012', nodeGroups: false };

function printed(flags: Partial<IamPolicyFlags>): string {
  let out = '';
  const process = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: () => undefined },
  };
  printIamPolicy.call({ process }, { ...required, ...flags });
  return out;
}

test('the role of nodes and the queue are named after the cluster unless given', () => {
  expect(printed({})).toContain('"arn:aws:iam::123456789012:role/KarpenterNodeRole-prod"');
  expect(printed({})).toContain('"arn:aws:sqs:us-east-1:123456789012:prod"');
  const given = printed({ nodeRole: 'team/nodes', queue: 'ends' });
  expect(given).toContain(':role/team/nodes"');
  expect(given).toContain(':123456789012:ends"');
});

test.each([
  ['cn-north-1', 'aws-cn'],
  ['us-gov-west-1', 'aws-us-gov'],
])('every ARN of %s is in its partition', (region, partition) => {
  const arns = [...printed({ region, nodeGroups: true }).matchAll(/"arn:([\w-]+):/g)].map(([, name]) => name);
  expect(new Set(arns)).toEqual(new Set([partition]));
});

test('a policy has at most the 10,240 characters that an inline policy of a role may have', () => {
  const longest = printed({ clusterName: 'c'.repeat(100), nodeGroups: true, parameter: ['/images/*'] });
  expect(JSON.stringify(JSON.parse(longest)).length).toBeLessThan(10_240);
});

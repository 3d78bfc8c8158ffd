import { DescribeAdjustmentTypes$, DescribeAutoScalingGroups$ } from '@aws-sdk/client-auto-scaling';
import { DescribeNodegroup$, ListClusters$ } from '@aws-sdk/client-eks';
import { expect, test } from 'vitest';
import { checkAnswer } from './check-answer.ts';

test('an answer that keeps its model passes, also with empty lists', () => {
  checkAnswer('autoscaling', DescribeAdjustmentTypes$, {});
  checkAnswer('eks', ListClusters$, { clusters: [] });
  checkAnswer('eks', DescribeNodegroup$, { nodegroup: { status: 'ACTIVE', tags: {}, createdAt: new Date(0) } });
});

for (const { fact, nodegroup, says } of [
  { fact: 'a member that the model lacks', nodegroup: { phase: 'ACTIVE' }, says: '.nodegroup.phase is no member' },
  { fact: 'a text in place of a number', nodegroup: { diskSize: '20' }, says: '.nodegroup.diskSize is "20", a string' },
  { fact: 'a text in place of a time', nodegroup: { createdAt: '2024' }, says: '.nodegroup.createdAt is "2024"' },
  { fact: 'one thing in place of a list', nodegroup: { subnets: 'subnet-1' }, says: '.nodegroup.subnets is no list' },
  {
    fact: 'a value that is none of the enumeration',
    nodegroup: { status: 'READY' },
    says: 'nodegroup.status is "READY"',
  },
]) {
  test(`an answer with ${fact} is refused`, () => {
    expect(() => checkAnswer('eks', DescribeNodegroup$, { nodegroup })).toThrow(says);
  });
}

test('an answer without a required member is refused', () => {
  expect(() => checkAnswer('autoscaling', DescribeAutoScalingGroups$, {})).toThrow('AutoScalingGroups is undefined');
});

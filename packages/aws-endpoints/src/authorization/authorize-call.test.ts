import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeImagesCommand, EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { DescribeClusterCommand, EKSClient } from '@aws-sdk/client-eks';
import { SSMClient, GetParametersCommand } from '@aws-sdk/client-ssm';
import { aTestAccount, inProcess, testAccessKey } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import type { AccessRefusal, AccessRules } from './authorize-call.ts';
import { parseIamPolicy } from './parse-policy.ts';

const policyWith = (...Statement: readonly object[]) =>
  parseIamPolicy(JSON.stringify({ Version: '2012-10-17', Statement }));

const nothing = policyWith();

function clientsUnder(rules: Omit<AccessRules, 'onRefusal'>) {
  const refusals: AccessRefusal[] = [];
  const access = {
    of: 'signed',
    rules: { ...rules, onRefusal: (refusal: AccessRefusal) => refusals.push(refusal) },
  } as const;
  const { aws } = aTestAccount({ access });
  const options = inProcess(aws.handleSigned, 'us-east-1', testAccessKey);
  return {
    refusals,
    aws,
    ec2: new EC2Client(options),
    eks: new EKSClient(options),
    ssm: new SSMClient(options),
    autoScaling: new AutoScalingClient(options),
  };
}

const user = 'arn:aws:iam::111122223333:user/sandbox-admin';

test('each service refuses in its own words', async () => {
  const { ec2, eks, ssm, autoScaling } = clientsUnder({ policy: nothing, mode: 'enforce' });
  await expect(ec2.send(new DescribeImagesCommand({}))).rejects.toMatchObject({
    name: 'UnauthorizedOperation',
    message: `You are not authorized to perform this operation. User: ${user} is not authorized to perform: ec2:DescribeImages because no identity-based policy allows the ec2:DescribeImages action`,
    $metadata: { httpStatusCode: 403 },
  });
  await expect(eks.send(new DescribeClusterCommand({ name: 'my-cluster' }))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: `User: ${user} is not authorized to perform: eks:DescribeCluster on resource: arn:aws:eks:us-east-1:111122223333:cluster/my-cluster because no identity-based policy allows the eks:DescribeCluster action`,
  });
  await expect(ssm.send(new GetParametersCommand({ Names: ['/aws/service/a'] }))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringContaining('on resource: arn:aws:ssm:us-east-1::parameter/aws/service/a because') as string,
  });
  await expect(autoScaling.send(new DescribeAutoScalingGroupsCommand({}))).rejects.toMatchObject({
    name: 'AccessDenied',
    $metadata: { httpStatusCode: 403 },
  });
});

test('a statement that denies is named as the reason', async () => {
  const policy = policyWith(
    { Effect: 'Allow', Action: '*', Resource: '*' },
    { Effect: 'Deny', Action: 'ec2:TerminateInstances', Resource: '*' },
  );
  const { ec2 } = clientsUnder({ policy, mode: 'enforce' });
  await expect(ec2.send(new TerminateInstancesCommand({ InstanceIds: ['i-0123456789abcdef0'] }))).rejects.toMatchObject(
    {
      message: expect.stringContaining(
        'instance/i-0123456789abcdef0 with an explicit deny in an identity-based policy',
      ) as string,
    },
  );
});

test('a policy that is only told refuses nothing', async () => {
  const { ec2, refusals } = clientsUnder({ policy: nothing, mode: 'tell' });
  await expect(ec2.send(new DescribeImagesCommand({}))).resolves.toMatchObject({
    Images: expect.anything() as unknown,
  });
  expect(refusals).toEqual([{ action: 'ec2:DescribeImages', resource: '*', isExplicit: false }]);
});

test('callers of the other way are not held to the policy', async () => {
  const { aws } = clientsUnder({ policy: nothing, mode: 'enforce' });
  const caller = { signal: new AbortController().signal, serving: { wait: <T>(work: () => Promise<T>) => work() } };
  const answer = await aws.answer({ service: 'ec2', operation: 'DescribeImages', input: {} }, caller);
  expect(answer.kind).toBe('answered');
});

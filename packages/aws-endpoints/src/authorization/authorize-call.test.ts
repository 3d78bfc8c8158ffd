import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeImagesCommand, EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { DescribeClusterCommand, EKSClient } from '@aws-sdk/client-eks';
import { AttachRolePolicyCommand, CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { SSMClient, GetParametersCommand } from '@aws-sdk/client-ssm';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
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

/** A session of a role without policies, in an account where the administrator may do everything. */
async function aSession() {
  const world = clientsUnder({ policy: policyWith({ Effect: 'Allow', Action: '*', Resource: '*' }), mode: 'enforce' });
  const options = inProcess(world.aws.handleSigned, 'us-east-1', testAccessKey);
  const iam = new IAMClient(options);
  const trust = { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::111122223333:root' }, Action: 'sts:AssumeRole' };
  const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [trust] });
  const { Role } = await iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument }));
  const sts = new STSClient(options);
  const { Credentials: lent } = await sts.send(new AssumeRoleCommand({ RoleArn: Role?.Arn, RoleSessionName: 'me' }));
  const key = {
    accessKeyId: lent?.AccessKeyId ?? '',
    secretAccessKey: lent?.SecretAccessKey ?? '',
    sessionToken: lent?.SessionToken ?? '',
  };
  const asSession = inProcess(world.aws.handleSigned, 'us-east-1', key);
  return { iam, ec2: new EC2Client(asSession), sts: new STSClient(asSession), refusals: world.refusals };
}

const sessionName = 'arn:aws:sts::111122223333:assumed-role/r/me';

test('the policies of a role decide what its sessions may do', async () => {
  const { iam, ec2, sts, refusals } = await aSession();
  const describe = () => ec2.send(new DescribeImagesCommand({ Owners: ['self'] }));
  await expect(describe()).rejects.toMatchObject({
    name: 'UnauthorizedOperation',
    message: expect.stringContaining(`User: ${sessionName} is not authorized to perform: ec2:DescribeImages`) as string,
  });
  expect(refusals).toMatchObject([{ action: 'ec2:DescribeImages', isExplicit: false }]);
  expect((await sts.send(new GetCallerIdentityCommand({}))).Arn).toBe(sessionName);
  const statement = { Effect: 'Allow', Action: 'ec2:Describe*', Resource: '*' };
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: statement });
  await iam.send(new PutRolePolicyCommand({ RoleName: 'r', PolicyName: 'describe', PolicyDocument }));
  expect((await describe()).Images).toEqual([]);
});

test('a policy of AWS that is attached to a role has its effect, and a denial of the role comes first', async () => {
  const { iam, ec2 } = await aSession();
  const end = () => ec2.send(new TerminateInstancesCommand({ InstanceIds: ['i-0123456789abcdef0'] }));
  const PolicyArn = 'arn:aws:iam::aws:policy/AdministratorAccess';
  await iam.send(new AttachRolePolicyCommand({ RoleName: 'r', PolicyArn }));
  await expect(end()).rejects.toMatchObject({ name: 'InvalidInstanceID.NotFound' });
  const Statement = [{ Effect: 'Deny', Action: 'ec2:Terminate*', Resource: '*' }];
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  await iam.send(new PutRolePolicyCommand({ RoleName: 'r', PolicyName: 'never', PolicyDocument }));
  await expect(end()).rejects.toMatchObject({
    name: 'UnauthorizedOperation',
    message: expect.stringContaining('with an explicit deny in an identity-based policy') as string,
  });
});

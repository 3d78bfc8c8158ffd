import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { EKSClient, ListClustersCommand, ListTagsForResourceCommand } from '@aws-sdk/client-eks';
import { IAMClient, ListRolesCommand } from '@aws-sdk/client-iam';
import { GetProductsCommand, PricingClient } from '@aws-sdk/client-pricing';
import { ListServiceQuotasCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { instant } from '@nodewright/apis';
import { realTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import type { ServiceName } from '../service.ts';
import { aTestAccount, inProcess, presignToken, testAccessKey } from '@nodewright/testkit/worlds';
import { refuseSignature } from './signature-refusal.ts';

type Options = ReturnType<typeof inProcess>;

const inForms = { unknown: 'InvalidClientTokenId', wrong: 'SignatureDoesNotMatch', status: 403 };
const inJson = { unknown: 'UnrecognizedClientException', wrong: 'InvalidSignatureException', status: 400 };

for (const { service, call, unknown, wrong, status } of [
  {
    service: 'Auto Scaling',
    call: (o: Options) => new AutoScalingClient(o).send(new DescribeAutoScalingGroupsCommand({})),
    ...inForms,
  },
  {
    service: 'EC2',
    call: (o: Options) => new EC2Client(o).send(new DescribeInstancesCommand({})),
    unknown: 'AuthFailure',
    wrong: 'AuthFailure',
    status: 401,
  },
  {
    service: 'EKS',
    call: (o: Options) => new EKSClient(o).send(new ListClustersCommand({ maxResults: 5, nextToken: '' })),
    ...inJson,
    status: 403,
  },
  { service: 'IAM', call: (o: Options) => new IAMClient(o).send(new ListRolesCommand({})), ...inForms },
  {
    service: 'Pricing',
    call: (o: Options) =>
      new PricingClient(o).send(new GetProductsCommand({ ServiceCode: 'AmazonEC2', MaxResults: 1 })),
    ...inJson,
  },
  {
    service: 'Service Quotas',
    call: (o: Options) => new ServiceQuotasClient(o).send(new ListServiceQuotasCommand({ ServiceCode: 'ec2' })),
    ...inJson,
  },
  { service: 'SQS', call: (o: Options) => new SQSClient(o).send(new ListQueuesCommand({})), ...inForms },
  {
    service: 'SSM',
    call: (o: Options) => new SSMClient(o).send(new GetParametersCommand({ Names: ['/none'] })),
    ...inJson,
  },
  { service: 'STS', call: (o: Options) => new STSClient(o).send(new GetCallerIdentityCommand({})), ...inForms },
] as readonly {
  service: string;
  call: (options: Options) => Promise<unknown>;
  unknown: string;
  wrong: string;
  status: number;
}[]) {
  const { aws } = aTestAccount();
  const callWith = (accessKey: typeof testAccessKey) => call(inProcess(aws.handleSigned, 'us-east-1', accessKey));

  test(`${service} serves what is signed with the account's key`, async () => {
    await expect(callWith(testAccessKey)).resolves.toMatchObject({ $metadata: { httpStatusCode: 200 } });
  });

  test(`${service} refuses another key, and another secret, in its own words, and records neither`, async () => {
    const before = aws.calls().length;
    await expect(callWith({ ...testAccessKey, accessKeyId: 'AKIAOTHER' })).rejects.toMatchObject({
      name: unknown,
      $metadata: { httpStatusCode: status },
    });
    await expect(callWith({ ...testAccessKey, secretAccessKey: 'other' })).rejects.toMatchObject({
      name: wrong,
      $metadata: { httpStatusCode: status },
    });
    expect(aws.calls()).toHaveLength(before);
  });
}

test('a path with escapes is signed as clients sign it', async () => {
  const { aws } = aTestAccount();
  const eks = new EKSClient(inProcess(aws.handleSigned, 'us-east-1', testAccessKey));
  const resourceArn = 'arn:aws:eks:us-east-1:111122223333:cluster/my-cluster';
  await expect(eks.send(new ListTagsForResourceCommand({ resourceArn }))).resolves.toBeDefined();
});

test('a presigned caller identity is answered as the token carries it', async () => {
  const { aws } = aTestAccount();
  const token = await presignToken({ at: instant(realTime().clock.now()) });
  const url = new URL(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const headers = { host: url.host, 'x-k8s-aws-id': 'my-cluster' };
  const request = { method: 'GET', path: `${url.pathname}${url.search}`, headers, body: new Uint8Array() };
  expect((await aws.handleSigned(request, new AbortController().signal)).status).toBe(200);
  expect(aws.authenticateToken(token)?.username).toBe('kubernetes-admin');
});

async function post(headers: Readonly<Record<string, string>>, body: string) {
  const request = { method: 'POST', path: '/', headers, body: Buffer.from(body) };
  const answer = await aTestAccount().aws.handleSigned(request, new AbortController().signal);
  return { status: answer.status, text: Buffer.from(answer.body as Uint8Array).toString() };
}

test('what is not signed is refused in the protocol that it speaks', async () => {
  expect(await post({}, 'Action=DescribeInstances&Version=2016-11-15')).toMatchObject({
    status: 403,
    text: expect.stringContaining('<Code>MissingAuthenticationToken</Code>'),
  });
  expect(await post({ 'x-amz-target': 'AmazonSSM.GetParameters' }, '{"Names":[]}')).toMatchObject({
    status: 400,
    text: expect.stringContaining('"__type":"MissingAuthenticationTokenException"'),
  });
});

test('a call that is never signed is told that the sandbox does not serve it', async () => {
  expect(await post({}, 'Action=AssumeRoleWithSAML&Version=2011-06-15')).toMatchObject({
    status: 400,
    text: expect.stringContaining('<Code>InvalidAction</Code>'),
  });
});

const now = instant(Date.parse('2024-01-28T16:10:00Z'));

for (const { service, code } of [
  { service: 'sts', code: 'SignatureDoesNotMatch' },
  { service: 'ec2', code: 'RequestExpired' },
  { service: 'ssm', code: 'InvalidSignatureException' },
] satisfies readonly { service: ServiceName; code: string }[]) {
  test(`${service} tells ${code} and both times to a client whose clock is wrong`, () => {
    const signed = { signedAt: '20240128T160000Z', now, toleratedMs: 300_000 };
    expect(refuseSignature(service, { kind: 'expired', ...signed })).toMatchObject({
      code,
      message: 'Signature expired: 20240128T160000Z is now earlier than 20240128T160500Z (20240128T161000Z - 5 min.)',
    });
  });
}

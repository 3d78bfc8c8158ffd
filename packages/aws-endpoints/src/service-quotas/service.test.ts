import { EC2Client, RunInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  ListAWSDefaultServiceQuotasCommand,
  ListServiceQuotasCommand,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { expect, test } from 'vitest';
import { aRelease, inProcess, aTestAccount } from '@nodewright/testkit/worlds';

const standard = { ServiceCode: 'ec2', QuotaCode: 'L-1216C47A' };
const standardSpot = { ServiceCode: 'ec2', QuotaCode: 'L-34B43A08' };

const image = aRelease();

function anAccount() {
  const { aws } = aTestAccount({ releases: [image] });
  const quotas = new ServiceQuotasClient(inProcess(aws.handle));
  const ec2 = new EC2Client(inProcess(aws.handle));
  const valueOf = async (which: typeof standard) => (await quotas.send(new GetServiceQuotaCommand(which))).Quota?.Value;
  const SubnetId = aws.ec2.network.subnets[0]?.id;
  const run = async (InstanceType: 'm5.large' | 'g4dn.xlarge', { spot = false } = {}) => {
    const launched = await ec2.send(
      new RunInstancesCommand({
        InstanceType,
        SubnetId,
        MinCount: 1,
        MaxCount: 1,
        ImageId: image.imageId,
        ...(spot && { InstanceMarketOptions: { MarketType: 'spot' } }),
      }),
    );
    return launched.Instances?.[0]?.InstanceId ?? '';
  };
  return { aws, ec2, quotas, valueOf, run };
}

test('a quota is told with its name, its unit and an ARN of the account', async () => {
  const { Quota } = await anAccount().quotas.send(new GetServiceQuotaCommand(standard));
  expect(Quota).toMatchObject({
    ...standard,
    QuotaName: 'Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances',
    QuotaArn: 'arn:aws:servicequotas:us-east-1:111122223333:ec2/L-1216C47A',
    Unit: 'None',
    Adjustable: true,
  });
});

test('what a new account has is told apart from what this one has', async () => {
  const { quotas, valueOf } = anAccount();
  const { Quota } = await quotas.send(new GetAWSDefaultServiceQuotaCommand(standard));
  expect(Quota).toMatchObject({ Value: 5, QuotaArn: 'arn:aws:servicequotas:us-east-1::ec2/L-1216C47A' });
  expect(await valueOf(standard)).toBe(1_000_000);
});

test('quotas are listed in pages', async () => {
  const { quotas } = anAccount();
  const first = await quotas.send(new ListServiceQuotasCommand({ ServiceCode: 'ec2', MaxResults: 10 }));
  const rest = await quotas.send(new ListServiceQuotasCommand({ ServiceCode: 'ec2', NextToken: first.NextToken }));
  const codes = [...(first.Quotas ?? []), ...(rest.Quotas ?? [])].map(({ QuotaCode }) => QuotaCode ?? '');
  expect(codes).toEqual(codes.toSorted());
  expect(codes).toHaveLength(18);
  const all = await quotas.send(new ListAWSDefaultServiceQuotasCommand({ ServiceCode: 'ec2' }));
  expect(all.Quotas?.map(({ QuotaCode }) => QuotaCode)).toEqual(codes);
});

test('a fault makes one quota smaller, or all of them', async () => {
  const { aws, valueOf } = anAccount();
  aws.faults.add({ kind: 'vcpu-quota', vcpus: 64, quotaCode: standard.QuotaCode });
  expect(await valueOf(standard)).toBe(64);
  expect(await valueOf(standardSpot)).toBe(1_000_000);
  aws.faults.add({ kind: 'vcpu-quota', vcpus: 8 });
  expect([await valueOf(standard), await valueOf(standardSpot)]).toEqual([8, 8]);
});

test('launches are held to the quota of their families and of how they are bought', async () => {
  const { aws, ec2, run } = anAccount();
  aws.faults.add({ kind: 'vcpu-quota', vcpus: 2 });
  aws.faults.add({ kind: 'vcpu-quota', vcpus: 4, quotaCode: 'L-DB2E81BA' });
  const first = await run('m5.large');
  await expect(run('m5.large')).rejects.toMatchObject({
    name: 'VcpuLimitExceeded',
    message: expect.stringContaining('limit of 2 ') as string,
  });
  await run('m5.large', { spot: true });
  await expect(run('m5.large', { spot: true })).rejects.toMatchObject({ name: 'MaxSpotInstanceCountExceeded' });
  await expect(run('g4dn.xlarge')).rejects.toMatchObject({ name: 'VcpuLimitExceeded' });
  await ec2.send(new TerminateInstancesCommand({ InstanceIds: [first] }));
  await run('m5.large');
});

test.for([
  ['a service without quotas here', { ServiceCode: 'rds', QuotaCode: 'L-1216C47A' }, 'NoSuchResourceException'],
  ['an unknown quota', { ServiceCode: 'ec2', QuotaCode: 'L-00000000' }, 'NoSuchResourceException'],
] as const)('%s is refused', async ([, request, name]) => {
  await expect(anAccount().quotas.send(new GetServiceQuotaCommand(request))).rejects.toMatchObject({ name });
});

test.for([
  ['a page of more than a hundred', { MaxResults: 101 }, 'IllegalArgumentException'],
  ['a token of somebody else', { NextToken: 'abc' }, 'InvalidPaginationTokenException'],
] as const)('%s is refused', async ([, request, name]) => {
  const { quotas } = anAccount();
  const listed = quotas.send(new ListServiceQuotasCommand({ ServiceCode: 'ec2', ...request }));
  await expect(listed).rejects.toMatchObject({ name });
});

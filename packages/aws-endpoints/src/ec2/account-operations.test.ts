import { expect, test } from 'vitest';
import { anEc2, never, x86 } from '@nodewright/testkit/worlds';

type Account = Awaited<ReturnType<typeof anEc2>>;

async function callEc2({ aws }: Account, operation: string, input: object = {}): Promise<unknown> {
  const answer = await aws.answer(
    { service: 'ec2', operation, input },
    { signal: never, serving: { wait: (work) => work() } },
  );
  return answer.kind === 'answered' ? answer.output : `${answer.code}: ${answer.message}`;
}

test('the account tells its attributes, all or some', async () => {
  const account = await anEc2();
  expect(await callEc2(account, 'DescribeAccountAttributes', { AttributeNames: ['default-vpc'] })).toEqual({
    AccountAttributes: [{ AttributeName: 'default-vpc', AttributeValues: [{ AttributeValue: 'none' }] }],
  });
  expect(await callEc2(account, 'DescribeAccountAttributes')).toHaveProperty('AccountAttributes.length', 6);
  expect(await callEc2(account, 'GetEbsEncryptionByDefault')).toMatchObject({ EbsEncryptionByDefault: false });
  expect(await callEc2(account, 'GetEbsDefaultKmsKeyId')).toEqual({ KmsKeyId: 'alias/aws/ebs' });
  expect(await callEc2(account, 'GetInstanceMetadataDefaults')).toEqual({ AccountLevel: {} });
});

test('the account has the elastic address of its NAT gateway, and refuses filters that there are not', async () => {
  const account = await anEc2();
  const list = (input: object): Promise<unknown> => callEc2(account, 'DescribeAddresses', input);
  expect(await list({ Filters: [{ Name: 'domain', Values: ['vpc'] }] })).toMatchObject({
    Addresses: [{ Domain: 'vpc' }],
  });
  expect(await list({ Filters: [{ Name: 'x', Values: ['y'] }] })).toContain('InvalidParameterValue');
  expect(await list({ AllocationIds: ['eipalloc-1'] })).toContain('InvalidAllocationID.NotFound');
  expect(await list({ PublicIps: ['203.0.113.1'] })).toContain('InvalidAddress.NotFound');
});

test('an instance that runs has a console and its profile, and a pending one an empty console', async () => {
  const account = await anEc2();
  const { aws, clock } = account;
  aws.iam.createProfile({ name: 'p', path: '/', tags: {} });
  const [imageId, IamInstanceProfile] = [x86.imageId, { Name: 'p' }];
  const launch = { ImageId: imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, IamInstanceProfile };
  await callEc2(account, 'RunInstances', { ...launch, UserData: Buffer.from('echo').toString('base64') });
  const InstanceId = aws.ec2.instances.all()[0]?.id ?? '';
  const read = (id = InstanceId): Promise<unknown> => callEc2(account, 'GetConsoleOutput', { InstanceId: id });
  expect(await read()).not.toHaveProperty('Output');
  await clock.advance(60_000);
  const { Output = '' } = (await read()) as { readonly Output?: string };
  const text = Buffer.from(Output, 'base64').toString('utf8');
  expect(text).toContain(imageId);
  expect(text).toContain('user data of 4 bytes');
  expect(await read('i-0123456789abcdef0')).toContain('InvalidInstanceID.NotFound');
  const list = (input: object): Promise<unknown> => callEc2(account, 'DescribeIamInstanceProfileAssociations', input);
  const own = { InstanceId, State: 'associated', IamInstanceProfile: { Arn: expect.stringContaining('/p') } };
  const associations = { IamInstanceProfileAssociations: [own] };
  expect(await list({ Filters: [{ Name: 'instance-id', Values: [InstanceId] }] })).toMatchObject(associations);
  expect(await list({ AssociationIds: ['iip-assoc-1'] })).toContain('InvalidAssociationID.NotFound');
});

import { minutes } from '@nodewright/apis';
import { aTestAccount, never } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const clusterName = 'my-cluster';
const fargateProfileName = 'karpenter';
const podExecutionRoleArn = 'arn:aws:iam::111122223333:role/fargate';
const selectors = [{ namespace: 'karpenter' }];

function fargateWorld() {
  const account = aTestAccount();
  const { aws } = account;
  const trust = (Service: string) =>
    JSON.stringify({ Statement: [{ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' }] });
  aws.iam.createRole({ name: 'fargate', path: '/', trust: trust('eks-fargate-pods.amazonaws.com') });
  aws.iam.createRole({ name: 'other', path: '/', trust: trust('ec2.amazonaws.com') });
  const call = async (operation: string, input: object = {}): Promise<ProfileAnswer> => {
    const answer = await aws.answer(
      { service: 'eks', operation, input: { clusterName, ...input } },
      { signal: never, serving: { wait: (work) => work() } },
    );
    if (answer.kind === 'refused') throw new Error(`${answer.code}: ${answer.message}`);
    return answer.output;
  };
  const create = (input: object = {}) =>
    call('CreateFargateProfile', { fargateProfileName, podExecutionRoleArn, selectors, ...input });
  return { ...account, call, create };
}

type ProfileAnswer = {
  readonly fargateProfile?: {
    readonly status: string;
    readonly fargateProfileArn: string;
    readonly subnets: readonly string[];
  };
  readonly fargateProfileNames?: readonly string[];
  readonly tags?: object;
};

test('a profile is created and deleted, each within two minutes', async () => {
  const { create, call, clock, aws } = fargateWorld();
  const { fargateProfile } = await create({ tags: { a: 'b' } });
  expect(fargateProfile).toMatchObject({
    fargateProfileName,
    clusterName,
    podExecutionRoleArn,
    selectors,
    status: 'CREATING',
    tags: { a: 'b' },
  });
  expect(fargateProfile?.fargateProfileArn).toMatch(
    /^arn:aws:eks:us-east-1:\d{12}:fargateprofile\/my-cluster\/karpenter\//,
  );
  const isPublic = (id: string) => aws.ec2.network.subnets.some((subnet) => subnet.id === id && subnet.public);
  expect(fargateProfile?.subnets.map(isPublic)).toEqual([false, false, false]);
  await clock.advance(minutes(2));
  const status = async () => (await call('DescribeFargateProfile', { fargateProfileName })).fargateProfile?.status;
  expect(await status()).toBe('ACTIVE');
  expect((await call('ListFargateProfiles')).fargateProfileNames).toEqual([fargateProfileName]);
  await call('DeleteFargateProfile', { fargateProfileName });
  expect(await status()).toBe('DELETING');
  await clock.advance(minutes(2));
  await expect(status()).rejects.toThrow('ResourceNotFoundException: No Fargate Profile found with name: karpenter.');
});

test('a profile has tags, by its ARN, while it is there', async () => {
  const { create, call, clock } = fargateWorld();
  const resourceArn = (await create({ tags: { a: 'b' } })).fargateProfile?.fargateProfileArn;
  await call('TagResource', { resourceArn, tags: { c: 'd' } });
  await expect(call('TagResource', { resourceArn, tags: { 'aws:x': 'y' } })).rejects.toThrow(
    'BadRequestException: aws: prefixed tag key names are not allowed for external use.',
  );
  await call('UntagResource', { resourceArn, tagKeys: ['a'] });
  expect((await call('ListTagsForResource', { resourceArn })).tags).toEqual({ c: 'd' });
  await clock.advance(minutes(2));
  await call('DeleteFargateProfile', { fargateProfileName });
  await clock.advance(minutes(2));
  await expect(call('ListTagsForResource', { resourceArn })).rejects.toThrow(/^NotFoundException: /);
});

test('EKS creates or deletes one profile of a cluster at a time, and none twice', async () => {
  const { create, call, clock } = fargateWorld();
  await create();
  await expect(create()).rejects.toThrow(/^ResourceInUseException: A Fargate Profile already exists/);
  await expect(create({ fargateProfileName: 'b' })).rejects.toThrow(
    /has Fargate profile karpenter in status CREATING$/,
  );
  await expect(call('DeleteFargateProfile', { fargateProfileName })).rejects.toThrow(/in status CREATING$/);
  await clock.advance(minutes(2));
  expect((await create({ fargateProfileName: 'b' })).fargateProfile?.status).toBe('CREATING');
});

test('a cluster with profiles is not deleted', async () => {
  const { create, call } = fargateWorld();
  await create();
  await expect(call('DeleteCluster', { name: clusterName })).rejects.toThrow(
    'ResourceInUseException: Cluster has Fargate profiles attached: karpenter',
  );
});

for (const { fact, input, message } of [
  {
    fact: 'a role that does not trust Fargate',
    input: { podExecutionRoleArn: 'arn:aws:iam::111122223333:role/other' },
    message:
      'Misconfigured PodExecutionRole Trust Policy; Please add the eks-fargate-pods.amazonaws.com Service Principal',
  },
  {
    fact: 'a role that is not there',
    input: { podExecutionRoleArn: 'arn:aws:iam::111122223333:role/none' },
    message: 'Role with arn: arn:aws:iam::111122223333:role/none could not be found.',
  },
  { fact: 'no selectors', input: { selectors: [] }, message: 'Fargate Profile must have at least one selector.' },
  {
    fact: 'six selectors',
    input: { selectors: Array.from({ length: 6 }, (_, at) => ({ namespace: `n${at}` })) },
    message: 'Fargate Profile must have at most 5 selectors.',
  },
  {
    fact: 'a selector without a namespace',
    input: { selectors: [{ labels: { a: 'b' } }] },
    message: 'Fargate Profile selector namespace must not be empty.',
  },
  {
    fact: 'six labels',
    input: { selectors: [{ namespace: 'a', labels: { a: '', b: '', c: '', d: '', e: '', f: '' } }] },
    message: 'Request contains Selector with more than 5 Labels',
  },
  {
    fact: 'an unknown subnet',
    input: { subnets: ['subnet-0123456789abcdef0'] },
    message:
      "The subnet ID 'subnet-0123456789abcdef0' does not exist (Service: AmazonEC2; Status Code: 400; Error Code: InvalidSubnetID.NotFound)",
  },
]) {
  test(`a profile with ${fact} is refused`, async () => {
    await expect(fargateWorld().create(input)).rejects.toThrow(`InvalidParameterException: ${message}`);
  });
}

test('a public subnet is refused', async () => {
  const { create, aws } = fargateWorld();
  const id = aws.ec2.network.subnets.find((subnet) => subnet.public)?.id ?? '';
  await expect(create({ subnets: [id] })).rejects.toThrow(
    `InvalidParameterException: Subnet ${id} provided in Fargate Profile is not a private subnet`,
  );
});

import {
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  CreateTagsCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeInstanceStatusCommand,
  DescribeInstanceTypeOfferingsCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeSecurityGroupsCommand,
  DescribeSpotPriceHistoryCommand,
  DescribeSubnetsCommand,
  DescribeTagsCommand,
  EC2Client,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  IAMClient,
  ListInstanceProfilesCommand,
  ListInstanceProfilesForRoleCommand,
  ListInstanceProfileTagsCommand,
  ListRolesCommand,
} from '@aws-sdk/client-iam';
import { ListServiceQuotasCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ListDeadLetterSourceQueuesCommand,
  ListQueuesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { GetParametersByPathCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { aTestAccount, arm, inProcess, x86 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { AwsError } from './codec/aws-error.ts';
import { takePage } from './paging.ts';

const refuse = (token: string) => new AwsError('InvalidNextToken', token);
const letters = ['a', 'b', 'c', 'd', 'e'];
const token = (start: number): string => Buffer.from(`from:${start}`).toString('base64');

for (const { fact, size, from, items, next } of [
  { fact: 'without a size is the whole list', size: undefined, from: undefined, items: letters, next: undefined },
  { fact: 'of the exact size has no next page', size: 5, from: undefined, items: letters, next: undefined },
  { fact: 'names the next one', size: 2, from: undefined, items: ['a', 'b'], next: token(2) },
  { fact: 'begins where its token says', size: 2, from: token(2), items: ['c', 'd'], next: token(4) },
  { fact: 'at the end has no next page', size: 2, from: token(4), items: ['e'], next: undefined },
  { fact: 'beyond the end is empty', size: 2, from: token(9), items: [], next: undefined },
  { fact: 'of an empty token is the first one', size: 1, from: '', items: ['a'], next: token(1) },
]) {
  test(`a page ${fact}`, () => {
    expect(takePage(letters, { size, token: from, refuse })).toEqual({ items, ...(next !== undefined && { next }) });
  });
}

for (const bad of ['nonsense', Buffer.from('from:-1').toString('base64'), Buffer.from('from:1x').toString('base64')]) {
  test(`the token ${bad} is refused`, () => {
    expect(() => takePage(letters, { size: 2, token: bad, refuse })).toThrow(new AwsError('InvalidNextToken', bad));
  });
}

/** An account in which every list has several items. */
async function world() {
  const options = inProcess(aTestAccount({ releases: [x86, arm] }).aws.handle);
  const [ec2, iam, sqs, ssm] = [
    new EC2Client(options),
    new IAMClient(options),
    new SQSClient(options),
    new SSMClient(options),
  ];
  for (const name of ['one', 'two', 'three']) {
    await ec2.send(
      new CreateLaunchTemplateCommand({ LaunchTemplateName: name, LaunchTemplateData: { EbsOptimized: true } }),
    );
    await ec2.send(
      new CreateLaunchTemplateVersionCommand({ LaunchTemplateName: 'one', LaunchTemplateData: { EbsOptimized: true } }),
    );
    const Tags = letters.map((Key) => ({ Key, Value: name }));
    await iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: name, Tags }));
    await iam.send(
      new AddRoleToInstanceProfileCommand({ InstanceProfileName: name, RoleName: 'KarpenterNodeRole-my-cluster' }),
    );
    await ssm.send(new PutParameterCommand({ Name: `/own/${name}`, Value: name, Type: 'String' }));
  }
  const dead = await sqs.send(new CreateQueueCommand({ QueueName: 'dead' }));
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: dead.QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: 3 });
  for (const QueueName of ['first', 'second'])
    await sqs.send(new CreateQueueCommand({ QueueName, Attributes: { RedrivePolicy } }));
  const run = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 11, MaxCount: 11 } as const;
  const { Instances = [] } = await ec2.send(new RunInstancesCommand(run));
  const Resources = Instances.map(({ InstanceId = '' }) => InstanceId);
  await ec2.send(new CreateTagsCommand({ Resources, Tags: [{ Key: 'a', Value: '1' }] }));
  return { ec2, iam, sqs, ssm, quotas: new ServiceQuotasClient(options), deadUrl: dead.QueueUrl };
}

type World = Awaited<ReturnType<typeof world>>;
type Answer = { readonly items: readonly unknown[] | undefined; readonly next: string | undefined };
type List = (world: World, page: { readonly size?: number; readonly token?: string }) => Promise<Answer>;

/** One line a list: how a page of it is asked for, and where an answer has its items and the token of the next page. */
const lists: Readonly<Record<string, readonly [size: number, list: List]>> = {
  DescribeImages: [
    1,
    async ({ ec2 }, { size, token }) => {
      const a = await ec2.send(new DescribeImagesCommand({ MaxResults: size, NextToken: token }));
      return { items: a.Images, next: a.NextToken };
    },
  ],
  DescribeInstances: [
    5,
    async ({ ec2 }, { size, token }) => {
      const a = await ec2.send(new DescribeInstancesCommand({ MaxResults: size, NextToken: token }));
      return { items: a.Reservations?.flatMap(({ Instances }) => Instances ?? []), next: a.NextToken };
    },
  ],
  DescribeInstanceStatus: [
    5,
    async ({ ec2 }, { size, token }) => {
      const a = await ec2.send(
        new DescribeInstanceStatusCommand({ IncludeAllInstances: true, MaxResults: size, NextToken: token }),
      );
      return { items: a.InstanceStatuses, next: a.NextToken };
    },
  ],
  DescribeInstanceTypeOfferings: [
    5,
    async ({ ec2 }, { size, token }) => {
      const a = await ec2.send(
        new DescribeInstanceTypeOfferingsCommand({
          Filters: [{ Name: 'instance-type', Values: ['m5.*', 'c5.*'] }],
          MaxResults: size,
          NextToken: token,
        }),
      );
      return { items: a.InstanceTypeOfferings, next: a.NextToken };
    },
  ],
  DescribeLaunchTemplates: [
    1,
    async ({ ec2 }, { size, token }) => {
      const a = await ec2.send(new DescribeLaunchTemplatesCommand({ MaxResults: size, NextToken: token }));
      return { items: a.LaunchTemplates, next: a.NextToken };
    },
  ],
  DescribeLaunchTemplateVersions: [
    1,
    async ({ ec2 }, { size, token }) => {
      const a = await ec2.send(
        new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName: 'one', MaxResults: size, NextToken: token }),
      );
      return { items: a.LaunchTemplateVersions, next: a.NextToken };
    },
  ],
  DescribeSecurityGroups: [
    5,
    async ({ ec2 }, { size, token }) => {
      const a = await ec2.send(new DescribeSecurityGroupsCommand({ MaxResults: size, NextToken: token }));
      return { items: a.SecurityGroups, next: a.NextToken };
    },
  ],
  DescribeSpotPriceHistory: [
    1,
    async ({ ec2 }, { size, token }) => {
      const a = await ec2.send(
        new DescribeSpotPriceHistoryCommand({ InstanceTypes: ['m5.large'], MaxResults: size, NextToken: token }),
      );
      return { items: a.SpotPriceHistory, next: a.NextToken === '' ? undefined : a.NextToken };
    },
  ],
  DescribeSubnets: [
    5,
    async ({ ec2 }, { size, token }) => {
      const a = await ec2.send(new DescribeSubnetsCommand({ MaxResults: size, NextToken: token }));
      return { items: a.Subnets, next: a.NextToken };
    },
  ],
  DescribeTags: [
    5,
    async ({ ec2 }, { size, token }) => {
      const a = await ec2.send(new DescribeTagsCommand({ MaxResults: size, NextToken: token }));
      return { items: a.Tags, next: a.NextToken };
    },
  ],
  ListInstanceProfiles: [
    1,
    async ({ iam }, { size, token }) => {
      const a = await iam.send(new ListInstanceProfilesCommand({ MaxItems: size, Marker: token }));
      return { items: a.InstanceProfiles, next: a.IsTruncated === true ? a.Marker : undefined };
    },
  ],
  ListInstanceProfilesForRole: [
    1,
    async ({ iam }, { size, token }) => {
      const a = await iam.send(
        new ListInstanceProfilesForRoleCommand({
          RoleName: 'KarpenterNodeRole-my-cluster',
          MaxItems: size,
          Marker: token,
        }),
      );
      return { items: a.InstanceProfiles, next: a.IsTruncated === true ? a.Marker : undefined };
    },
  ],
  ListInstanceProfileTags: [
    2,
    async ({ iam }, { size, token }) => {
      const a = await iam.send(
        new ListInstanceProfileTagsCommand({ InstanceProfileName: 'one', MaxItems: size, Marker: token }),
      );
      return { items: a.Tags, next: a.IsTruncated === true ? a.Marker : undefined };
    },
  ],
  ListRoles: [
    1,
    async ({ iam }, { size, token }) => {
      const a = await iam.send(new ListRolesCommand({ MaxItems: size, Marker: token }));
      return { items: a.Roles, next: a.IsTruncated === true ? a.Marker : undefined };
    },
  ],
  ListQueues: [
    1,
    async ({ sqs }, { size, token }) => {
      const a = await sqs.send(new ListQueuesCommand({ MaxResults: size, NextToken: token }));
      return { items: a.QueueUrls, next: a.NextToken };
    },
  ],
  ListDeadLetterSourceQueues: [
    1,
    async ({ sqs, deadUrl }, { size, token }) => {
      const a = await sqs.send(
        new ListDeadLetterSourceQueuesCommand({ QueueUrl: deadUrl, MaxResults: size, NextToken: token }),
      );
      return { items: a.queueUrls, next: a.NextToken };
    },
  ],
  GetParametersByPath: [
    1,
    async ({ ssm }, { size, token }) => {
      const a = await ssm.send(new GetParametersByPathCommand({ Path: '/own', MaxResults: size, NextToken: token }));
      return { items: a.Parameters, next: a.NextToken };
    },
  ],
  ListServiceQuotas: [
    5,
    async ({ quotas }, { size, token }) => {
      const a = await quotas.send(
        new ListServiceQuotasCommand({ ServiceCode: 'ec2', MaxResults: size, NextToken: token }),
      );
      return { items: a.Quotas, next: a.NextToken };
    },
  ],
};

describe('a list that is read page by page is the whole list', () => {
  test.each(Object.entries(lists))('%s', async (_, [size, list]) => {
    const account = await world();
    const all = (await list(account, {})).items ?? [];
    const read: unknown[] = [];
    const lengths: number[] = [];
    let token: string | undefined;
    do {
      const { items = [], next }: Answer = await list(account, { size, ...(token !== undefined && { token }) });
      read.push(...items);
      lengths.push(items.length);
      token = next;
    } while (token !== undefined);
    expect(read).toEqual(all);
    expect(lengths.every((length) => length <= size)).toBe(true);
  });
});

import {
  CreateAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeWarmPoolCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  CreateFleetCommand,
  CreateLaunchTemplateCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeInstanceStatusCommand,
  DescribeInstanceTypeOfferingsCommand,
  DescribeInstanceTypesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribePlacementGroupsCommand,
  DescribeSecurityGroupsCommand,
  DescribeSpotPriceHistoryCommand,
  DescribeSubnetsCommand,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import {
  DescribeClusterCommand,
  ListNodegroupsCommand,
  ListUpdatesCommand,
  UpdateClusterVersionCommand,
} from '@aws-sdk/client-eks';
import { CreateInstanceProfileCommand, GetInstanceProfileCommand } from '@aws-sdk/client-iam';
import { GetProductsCommand } from '@aws-sdk/client-pricing';
import { ListServiceQuotasCommand } from '@aws-sdk/client-service-quotas';
import { GetQueueUrlCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { GetParameterCommand, GetParametersByPathCommand } from '@aws-sdk/client-ssm';
import { anAwsAccount, clusterName } from '@nodewright/testkit/worlds';
import { beforeAll, expect, test } from 'vitest';
import type { AwsClients } from './clients.ts';

/** One call of a client; the result is what its code goes on with. */
type Ask = (clients: AwsClients, how: object) => Promise<object>;

const ways = [anAwsAccount(), anAwsAccount({ around: (handle) => handle })];

const accounts = ways.map(({ time, aws, clients }) => {
  const [own, [image]] = [clients(), aws.releases.list({ family: 'AL2', arch: 'amd64', kubernetesVersion: '1.28' })];
  return {
    imageId: image?.imageId ?? '',
    ask: (ask: Ask) => time.finish(time.gate.call((ticket) => ask(own, { ticket }))),
  };
});

const template = { LaunchTemplateName: 'own', Version: '1' } as const;

beforeAll(async () => {
  for (const { ask, imageId } of accounts) {
    const LaunchTemplateData: RequestLaunchTemplateData = {
      ImageId: imageId,
      InstanceType: 'm5.large',
      UserData: 'IyEvYmluL2Jhc2g=',
      TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'team', Value: 'a & <b>' }] }],
    };
    await ask(({ ec2 }, how) =>
      ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName: 'own', LaunchTemplateData }), how),
    );
  }
});

const path = '/aws/service/eks/optimized-ami/1.28/amazon-linux-2';
const queue = { QueueUrl: `http://in-process.invalid/111122223333/${clusterName}` };
const group = { AutoScalingGroupName: 'own', LaunchTemplate: template, MinSize: 0, MaxSize: 2, DesiredCapacity: 1 };

/** Ordered so that each call finds what it asks for. */
const calls: Readonly<Record<string, Ask>> = {
  GetParameter: ({ ssm }, how) => ssm.send(new GetParameterCommand({ Name: `${path}/recommended/image_id` }), how),
  GetParametersByPath: ({ ssm }, how) => ssm.send(new GetParametersByPathCommand({ Path: path, Recursive: true }), how),
  DescribeImages: ({ ec2 }, how) =>
    ec2.send(new DescribeImagesCommand({ Filters: [{ Name: 'name', Values: ['amazon-eks-node-1.28-*'] }] }), how),
  DescribeInstanceTypes: ({ ec2 }, how) => ec2.send(new DescribeInstanceTypesCommand({}), how),
  DescribeInstanceTypeOfferings: ({ ec2 }, how) => ec2.send(new DescribeInstanceTypeOfferingsCommand({}), how),
  DescribeSpotPriceHistory: ({ ec2 }, how) => ec2.send(new DescribeSpotPriceHistoryCommand({}), how),
  DescribeSubnets: ({ ec2 }, how) => ec2.send(new DescribeSubnetsCommand({}), how),
  DescribeSecurityGroups: ({ ec2 }, how) => ec2.send(new DescribeSecurityGroupsCommand({}), how),
  DescribePlacementGroups: ({ ec2 }, how) => ec2.send(new DescribePlacementGroupsCommand({}), how),
  DescribeLaunchTemplates: ({ ec2 }, how) => ec2.send(new DescribeLaunchTemplatesCommand({}), how),
  DescribeLaunchTemplateVersions: ({ ec2 }, how) =>
    ec2.send(new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName: 'own' }), how),
  CreateFleet: ({ ec2 }, how) =>
    ec2.send(
      new CreateFleetCommand({
        Type: 'instant',
        LaunchTemplateConfigs: [{ LaunchTemplateSpecification: template }],
        TargetCapacitySpecification: { TotalTargetCapacity: 2, DefaultTargetCapacityType: 'on-demand' },
      }),
      how,
    ),
  DescribeInstances: ({ ec2 }, how) => ec2.send(new DescribeInstancesCommand({}), how),
  DescribeInstanceStatus: ({ ec2 }, how) =>
    ec2.send(new DescribeInstanceStatusCommand({ IncludeAllInstances: true }), how),
  CreateAutoScalingGroup: ({ autoScaling }, how) =>
    autoScaling.send(new CreateAutoScalingGroupCommand({ ...group, AvailabilityZones: ['us-east-1a'] }), how),
  DescribeAutoScalingGroups: ({ autoScaling }, how) => autoScaling.send(new DescribeAutoScalingGroupsCommand({}), how),
  DescribeCluster: ({ eks }, how) => eks.send(new DescribeClusterCommand({ name: clusterName }), how),
  ListNodegroups: ({ eks }, how) => eks.send(new ListNodegroupsCommand({ clusterName }), how),
  UpdateClusterVersion: ({ eks }, how) =>
    eks.send(new UpdateClusterVersionCommand({ name: clusterName, version: '1.29' }), how),
  ListUpdates: ({ eks }, how) => eks.send(new ListUpdatesCommand({ name: clusterName }), how),
  CreateInstanceProfile: ({ iam }, how) =>
    iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: 'own', Path: '/a/' }), how),
  GetInstanceProfile: ({ iam }, how) => iam.send(new GetInstanceProfileCommand({ InstanceProfileName: 'own' }), how),
  GetProducts: ({ pricing }, how) => pricing.send(new GetProductsCommand({ ServiceCode: 'AmazonEC2' }), how),
  ListServiceQuotas: ({ serviceQuotas }, how) =>
    serviceQuotas.send(new ListServiceQuotasCommand({ ServiceCode: 'ec2' }), how),
  GetQueueUrl: ({ sqs }, how) => sqs.send(new GetQueueUrlCommand({ QueueName: clusterName }), how),
  SendMessage: ({ sqs }, how) => sqs.send(new SendMessageCommand({ ...queue, MessageBody: '{"a": "é"}' }), how),
  ReceiveMessage: ({ sqs }, how) => sqs.send(new ReceiveMessageCommand(queue), how),
};

for (const [operation, ask] of Object.entries(calls)) {
  test(`the output of ${operation} as an object equals the one over the wire`, async () => {
    const [taken, read] = await Promise.all(accounts.map((account) => account.ask(ask)));
    expect(written(taken)).toEqual(written(read));
    expect(taken).not.toHaveProperty('$metadata.httpStatusCode', undefined);
  });
}

const absentQueue = { QueueUrl: 'http://in-process.invalid/111122223333/absent' };

/** Calls that the account refuses, each in words of its own. */
const refusedCalls: Readonly<Record<string, Ask>> = {
  'an instance that is not there': ({ ec2 }, how) =>
    ec2.send(new DescribeInstancesCommand({ InstanceIds: ['i-0123456789abcdef0'] }), how),
  'a launch template that exists': ({ ec2 }, how) =>
    ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName: 'own', LaunchTemplateData: {} }), how),
  'a parameter that is not there': ({ ssm }, how) => ssm.send(new GetParameterCommand({ Name: '/absent' }), how),
  'a cluster that is not there': ({ eks }, how) => eks.send(new DescribeClusterCommand({ name: 'absent' }), how),
  'an instance profile that exists': ({ iam }, how) =>
    iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: 'own' }), how),
  'a queue that is not there': ({ sqs }, how) => sqs.send(new ReceiveMessageCommand(absentQueue), how),
  'a queue whose number of messages is too large': ({ sqs }, how) =>
    sqs.send(new ReceiveMessageCommand({ ...queue, MaxNumberOfMessages: 11 }), how),
  'a group that is not there': ({ autoScaling }, how) =>
    autoScaling.send(new DescribeWarmPoolCommand({ AutoScalingGroupName: 'absent' }), how),
  'an empty list of filter values': ({ ec2 }, how) =>
    ec2.send(new DescribeImagesCommand({ Filters: [{ Name: 'no-such-filter', Values: [] }] }), how),
};

for (const [fact, ask] of Object.entries(refusedCalls)) {
  test(`${fact} is refused as over the wire`, async () => {
    const [direct, wire] = await Promise.all(accounts.map((account) => errorOfCall(account.ask(ask))));
    expect(direct).toEqual(wire);
    expect(direct).not.toHaveProperty('name', 'Error');
  });
}

/** What the provider reads of an error. */
async function errorOfCall(call: Promise<object>): Promise<object> {
  const error = (await call.then(
    () => new Error('the call was answered'),
    (failure: unknown) => failure,
  )) as Error & { readonly $metadata?: { readonly httpStatusCode?: number } };
  return { name: error.name, message: error.message, status: error.$metadata?.httpStatusCode };
}

/** Texts that the SDK wraps, such as those of the price list, are texts. */
const written = (output: object | undefined): unknown => JSON.parse(JSON.stringify(output));

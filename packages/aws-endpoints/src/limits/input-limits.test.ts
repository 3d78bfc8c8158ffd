import {
  AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  DescribeWarmPoolCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  DescribeInstancesCommand,
  DescribeInstanceTypesCommand,
  DescribeLaunchTemplatesCommand,
  EC2Client,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { EKSClient, ListClustersCommand } from '@aws-sdk/client-eks';
import { IAMClient, ListInstanceProfilesCommand, ListRolesCommand } from '@aws-sdk/client-iam';
import { GetProductsCommand, PricingClient } from '@aws-sdk/client-pricing';
import { ListServicesCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  DeleteParametersCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { describe, expect, test } from 'vitest';
import { aTestAccount, inProcess } from '@nodewright/testkit/worlds';
import { autoScalingService } from '../autoscaling/service.ts';
import { inputShape, listMembers, operationName } from '../codec/shape.ts';
import { ec2Service } from '../ec2/service.ts';
import { eksService } from '../eks/service.ts';
import { eventsService } from '../events/service.ts';
import { iamService } from '../iam/service.ts';
import { pricingService } from '../pricing/service.ts';
import type { AwsService } from '../service.ts';
import { serviceQuotasService } from '../service-quotas/service.ts';
import { sqsService } from '../sqs/service.ts';
import { ssmService } from '../ssm/service.ts';
import { findExceededLimit, type InputLimit } from './input-limits.ts';

/** The services without their models: their tables are read, and nothing is called. */
const emptyModel: unknown = { account: {} };
const withoutModel = <Model>(build: (model: Model) => AwsService): AwsService => build(emptyModel as Model);

const services: readonly AwsService[] = [
  withoutModel(autoScalingService),
  withoutModel(ec2Service),
  withoutModel(eksService),
  withoutModel(eventsService),
  withoutModel(iamService),
  pricingService({ region: 'us-east-1', types: () => [] }),
  withoutModel(serviceQuotasService),
  withoutModel(sqsService),
  withoutModel(ssmService),
];

const pageMembers = ['Limit', 'MaxItems', 'MaxRecords', 'MaxResults', 'maxResults'];

for (const service of services) {
  test(`every page size of ${service.name} has a limit in its table`, () => {
    const unlimited = service.operations.flatMap(({ schema }) => {
      const limits = service.limits?.byOperation.get(operationName(schema)) ?? [];
      return [...listMembers(inputShape(schema))]
        .filter(([member]) => pageMembers.includes(member) && !limits.some(({ path }) => path === member))
        .map(([member]) => `${operationName(schema)}.${member}`);
    });
    expect(unlimited).toEqual([]);
  });

  test(`the limits of ${service.name} name operations that it serves and members that they have`, () => {
    const shapes = new Map(service.operations.map(({ schema }) => [operationName(schema), inputShape(schema)]));
    const unknown = [...(service.limits?.byOperation ?? [])].flatMap(([operation, limits]) => {
      const shape = shapes.get(operation);
      const members = shape === undefined ? [] : [...listMembers(shape)].map(([member]) => member);
      return limits
        .filter(({ path }) => !members.includes(path.split('.').at(0) ?? ''))
        .map(({ path }) => `${operation}.${path}`);
    });
    expect(unknown).toEqual([]);
  });

  describe(`${service.name} refuses what is beyond a limit, and not what is on it`, () => {
    for (const [operation, limits] of service.limits?.byOperation ?? []) {
      test.each(limits.map((limit) => [`${operation}.${limit.path}`, limit] as const))('%s', (_, limit) => {
        const outcome = (size: number) =>
          findExceededLimit(service.limits ?? { byOperation: new Map() }, operation, inputOf(limit, size));
        expect([outcome(limit.least), outcome(limit.most)]).toEqual([undefined, undefined]);
        if (Number.isFinite(limit.most)) expect(outcome(limit.most + 1)).toEqual({ ...limit, actual: limit.most + 1 });
        if (limit.least > 0) expect(outcome(limit.least - 1)).toEqual({ ...limit, actual: limit.least - 1 });
      });
    }
  });
}

/** An input with a number of this value, or a list of this length. */
function inputOf({ kind, path }: InputLimit, size: number): object {
  const value = kind === 'value' ? size : Array.from({ length: size }, (_, at) => `${at}`);
  const [first = '', second] = path.split('.');
  return { [first]: second === undefined ? value : [{ [second]: [] }, { [second]: value }] };
}

test('an input without the member keeps every limit', () => {
  const byOperation = new Map([['List', [{ kind: 'value', path: 'MaxResults', least: 1, most: 2 }] as const]]);
  expect(findExceededLimit({ byOperation }, 'List', {})).toBeUndefined();
  expect(findExceededLimit({ byOperation }, 'Other', { MaxResults: 9 })).toBeUndefined();
});

const texts = (count: number): string[] => Array.from({ length: count }, (_, at) => `text-${at}`);
const world = () => {
  const options = inProcess(aTestAccount().aws.handle);
  return {
    autoScaling: new AutoScalingClient(options),
    ec2: new EC2Client(options),
    eks: new EKSClient(options),
    iam: new IAMClient(options),
    pricing: new PricingClient(options),
    quotas: new ServiceQuotasClient(options),
    sqs: new SQSClient(options),
    ssm: new SSMClient(options),
  };
};

describe('on the wire a call beyond a limit is refused in the words of its service', () => {
  type World = ReturnType<typeof world>;
  const cases: readonly (readonly [call: (world: World) => Promise<unknown>, code: string, message: RegExp])[] = [
    [
      ({ ec2 }) => ec2.send(new DescribeInstancesCommand({ MaxResults: 4 })),
      'InvalidParameterValue',
      /Value \( 4 \) for parameter maxResults is invalid. Expecting a value greater than or equal to 5/,
    ],
    [
      ({ ec2 }) => ec2.send(new DescribeInstancesCommand({ MaxResults: 1001 })),
      'InvalidParameterValue',
      /less than or equal to 1000/,
    ],
    [
      ({ ec2 }) => ec2.send(new DescribeInstanceTypesCommand({ MaxResults: 101 })),
      'InvalidParameterValue',
      /less than or equal to 100\./,
    ],
    [
      ({ ec2 }) => ec2.send(new DescribeLaunchTemplatesCommand({ MaxResults: 0 })),
      'InvalidParameterValue',
      /greater than or equal to 1/,
    ],
    [
      ({ ec2 }) => ec2.send(new DescribeInstancesCommand({ Filters: [{ Name: 'instance-id', Values: texts(201) }] })),
      'FilterLimitExceeded',
      /200/,
    ],
    [
      ({ ec2 }) => ec2.send(new TerminateInstancesCommand({ InstanceIds: texts(1001) })),
      'InvalidParameterValue',
      /instanceIds has 1001 items/,
    ],
    [
      ({ ssm }) => ssm.send(new GetParametersCommand({ Names: texts(11) })),
      'ValidationException',
      /'names' failed to satisfy constraint: Member must have length less than or equal to 10/,
    ],
    [
      ({ ssm }) => ssm.send(new GetParametersCommand({ Names: [] })),
      'ValidationException',
      /greater than or equal to 1/,
    ],
    [
      ({ ssm }) => ssm.send(new DeleteParametersCommand({ Names: texts(11) })),
      'ValidationException',
      /less than or equal to 10/,
    ],
    [
      ({ ssm }) => ssm.send(new GetParametersByPathCommand({ Path: '/aws', MaxResults: 11 })),
      'ValidationException',
      /'maxResults'/,
    ],
    [({ iam }) => iam.send(new ListInstanceProfilesCommand({ MaxItems: 0 })), 'ValidationError', /'maxItems'/],
    [({ iam }) => iam.send(new ListRolesCommand({ MaxItems: 1001 })), 'ValidationError', /less than or equal to 1000/],
    [
      ({ autoScaling }) => autoScaling.send(new DescribeAutoScalingGroupsCommand({ MaxRecords: 101 })),
      'ValidationError',
      /'maxRecords'/,
    ],
    [
      ({ autoScaling }) => autoScaling.send(new DescribeWarmPoolCommand({ AutoScalingGroupName: 'a', MaxRecords: 51 })),
      'ValidationError',
      /less than or equal to 50/,
    ],
    [
      ({ eks }) => eks.send(new ListClustersCommand({ maxResults: 101 })),
      'InvalidParameterException',
      /maxResults is 101, must be from 1 to 100/,
    ],
    [
      ({ pricing }) => pricing.send(new GetProductsCommand({ ServiceCode: 'AmazonEC2', MaxResults: 101 })),
      'InvalidParameterException',
      /'maxResults'/,
    ],
    [
      ({ quotas }) => quotas.send(new ListServicesCommand({ MaxResults: 101 })),
      'IllegalArgumentException',
      /from 1 to 100/,
    ],
    [({ sqs }) => sqs.send(new ListQueuesCommand({ MaxResults: 1001 })), 'InvalidParameterValue', /MaxResults/],
  ];
  test.each(cases.map(([call, code, message]) => [code, message.source, call, message] as const))(
    '%s: %s',
    async (code, _, call, message) => {
      await expect(call(world())).rejects.toMatchObject({ name: code, message: expect.stringMatching(message) });
    },
  );
});

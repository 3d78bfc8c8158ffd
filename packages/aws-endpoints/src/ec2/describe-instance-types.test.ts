import {
  DescribeInstanceTypeOfferingsCommand,
  type DescribeInstanceTypeOfferingsCommandInput,
  DescribeInstanceTypesCommand,
  type DescribeInstanceTypesCommandInput,
  DescribeSpotPriceHistoryCommand,
  type DescribeSpotPriceHistoryCommandInput,
} from '@aws-sdk/client-ec2';
import { anEc2 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

async function world() {
  const { client, clock } = await anEc2();
  const types = async (request: DescribeInstanceTypesCommandInput) =>
    (await client.send(new DescribeInstanceTypesCommand(request))).InstanceTypes ?? [];
  const offerings = async (request: DescribeInstanceTypeOfferingsCommandInput) =>
    (await client.send(new DescribeInstanceTypeOfferingsCommand(request))).InstanceTypeOfferings ?? [];
  const prices = async (request: DescribeSpotPriceHistoryCommandInput) =>
    (await client.send(new DescribeSpotPriceHistoryCommand(request))).SpotPriceHistory ?? [];
  return { client, clock, types, offerings, prices };
}

describe('DescribeInstanceTypes', () => {
  test('tells Inferentia as Neuron and as an accelerator of inference, Trainium as Neuron alone', async () => {
    const { types } = await world();
    const [inferentia] = await types({ InstanceTypes: ['inf2.xlarge'] });
    expect(inferentia).toMatchObject({
      NeuronInfo: { NeuronDevices: [{ Name: 'Inferentia2', Count: 1 }] },
      InferenceAcceleratorInfo: { Accelerators: [{ Name: 'Inferentia2', Manufacturer: 'AWS', Count: 1 }] },
    });
    const [trainium] = await types({ InstanceTypes: ['trn1.2xlarge'] });
    expect(trainium).toMatchObject({ NeuronInfo: {}, BurstablePerformanceSupported: false });
    expect(trainium?.InferenceAcceleratorInfo).toBeUndefined();
  });

  test.each<[filter: string, value: string, type: string, found: boolean]>([
    ['instance-type', 'm5.*', 'm5.large', true],
    ['instance-type', 'm5.*', 'm6g.large', false],
    ['processor-info.supported-architecture', 'arm64', 'm6g.large', true],
    ['processor-info.supported-architecture', 'x86_64', 'm6g.large', false],
    ['vcpu-info.default-vcpus', '2', 'm5.large', true],
    ['vcpu-info.default-vcpus', '4', 'm5.large', false],
    ['memory-info.size-in-mib', '8192', 'm5.large', true],
    ['hypervisor', 'nitro', 'm5.large', true],
    ['current-generation', 'true', 'm5.large', true],
    ['bare-metal', 'true', 'm5.large', false],
    ['supported-usage-class', 'spot', 'm5.large', true],
    ['supported-virtualization-type', 'paravirtual', 'm5.large', false],
    ['supported-root-device-type', 'ebs', 'm5.large', true],
  ])('by %s %s: %s', async (Name, value, type, found) => {
    const { types } = await world();
    const names = (await types({ Filters: [{ Name, Values: [value] }] })).map(({ InstanceType }) => InstanceType);
    expect(names.some((name) => name === type)).toBe(found);
  });

  test('finds types by name, each once, in the order asked for', async () => {
    const { types } = await world();
    const found = await types({ InstanceTypes: ['m5.xlarge', 'm5.large', 'm5.xlarge'] });
    expect(found.map(({ InstanceType }) => InstanceType)).toEqual(['m5.xlarge', 'm5.large']);
  });

  test.each<[fact: string, request: object, code: string, message: RegExp]>([
    [
      'unknown names, all at once',
      { InstanceTypes: ['m5.large', 'a.b', 'c.d'] },
      'InvalidInstanceType',
      /do not exist: \[a\.b, c\.d\]/,
    ],
    [
      'names with a page size',
      { InstanceTypes: ['m5.large'], MaxResults: 5 },
      'InvalidParameterCombination',
      /maxResults/,
    ],
    ['a dry run', { DryRun: true }, 'DryRunOperation', /DryRun/],
  ])('refuses %s', async (_, request, name, message) => {
    const { client } = await world();
    await expect(client.send(new DescribeInstanceTypesCommand(request))).rejects.toMatchObject({
      name,
      message: expect.stringMatching(message),
    });
  });

  test('answers a hundred types at most at once', async () => {
    const { client } = await world();
    const { InstanceTypes, NextToken } = await client.send(new DescribeInstanceTypesCommand({}));
    expect((InstanceTypes ?? []).length).toBeLessThanOrEqual(100);
    expect(NextToken === undefined || InstanceTypes?.length === 100).toBe(true);
  });
});

describe('DescribeInstanceTypeOfferings', () => {
  test.each<[type: 'region' | 'availability-zone' | 'availability-zone-id' | undefined, locations: readonly string[]]>([
    [undefined, ['us-east-1']],
    ['region', ['us-east-1']],
    ['availability-zone', ['us-east-1a', 'us-east-1b', 'us-east-1c']],
    ['availability-zone-id', ['use1-az1', 'use1-az2', 'use1-az3']],
  ])('in %s names %j', async (LocationType, locations) => {
    const { offerings } = await world();
    const Filters = [{ Name: 'instance-type', Values: ['m5.large'] }];
    const found = await offerings({ Filters, ...(LocationType && { LocationType }) });
    expect(found.map(({ Location }) => Location)).toEqual(locations);
    expect(new Set(found.map((each) => each.LocationType))).toEqual(new Set([LocationType ?? 'region']));
  });

  test('finds by location', async () => {
    const { offerings } = await world();
    const Filters = [
      { Name: 'location', Values: ['us-east-1b'] },
      { Name: 'instance-type', Values: ['m5.large', 'c5.large'] },
    ];
    expect(await offerings({ LocationType: 'availability-zone', Filters })).toHaveLength(2);
  });
});

describe('DescribeSpotPriceHistory', () => {
  test.each<[fact: string, request: DescribeSpotPriceHistoryCommandInput, count: number]>([
    ['every zone', {}, 3],
    ['one zone', { AvailabilityZone: 'us-east-1b' }, 1],
    ['an unknown zone', { AvailabilityZone: 'us-east-1z' }, 0],
    ['a zone by a filter', { Filters: [{ Name: 'availability-zone', Values: ['*c'] }] }, 1],
    ['Linux', { ProductDescriptions: ['Linux/UNIX (Amazon VPC)'] }, 3],
    ['Windows', { ProductDescriptions: ['Windows'] }, 0],
  ])('has the price of %s', async (_, request, count) => {
    const { prices } = await world();
    expect(await prices({ InstanceTypes: ['m5.large'], ...request })).toHaveLength(count);
  });

  test('takes a page size of 2,000, which Karpenter asks for', async () => {
    const { prices } = await world();
    expect(await prices({ InstanceTypes: ['m5.large'], MaxResults: 2_000 })).toHaveLength(3);
  });

  test('quotes at the beginning of the day', async () => {
    const { prices } = await world();
    const [price] = await prices({ InstanceTypes: ['m5.large'] });
    expect(price).toMatchObject({ ProductDescription: 'Linux/UNIX', Timestamp: new Date('2024-01-28T00:00:00Z') });
    expect(price?.SpotPrice).toMatch(/^0\.\d{6}$/);
  });
});

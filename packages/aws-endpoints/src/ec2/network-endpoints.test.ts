import { anEc2, ec2Caller } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'];
let refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
beforeEach(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
});

const s3 = 'com.amazonaws.us-east-1.s3';
const sts = 'com.amazonaws.us-east-1.sts';

describe('an egress-only internet gateway', () => {
  const make = async (more: object = {}): Promise<string> => {
    const input = { VpcId: account.aws.ec2.network.vpcId, ...more };
    const made = (await call('CreateEgressOnlyInternetGateway', input)) as {
      EgressOnlyInternetGateway: { EgressOnlyInternetGatewayId: string };
    };
    return made.EgressOnlyInternetGateway.EgressOnlyInternetGatewayId;
  };
  const list = async (input: object = {}) =>
    ((await call('DescribeEgressOnlyInternetGateways', input)) as { EgressOnlyInternetGateways: object[] })
      .EgressOnlyInternetGateways;

  test('is made in a VPC, attached to it, and found by id and by tag', async () => {
    const Tags = [{ Key: 'team', Value: 'a' }];
    const tagged = await make({ TagSpecifications: [{ ResourceType: 'egress-only-internet-gateway', Tags }] });
    const other = await make();
    const VpcId = account.aws.ec2.network.vpcId;
    const shown = { EgressOnlyInternetGatewayId: tagged, Attachments: [{ State: 'attached', VpcId }], Tags };
    expect(tagged).toMatch(/^eigw-0[0-9a-f]{16}$/);
    expect(await list({ EgressOnlyInternetGatewayIds: [tagged] })).toEqual([shown]);
    expect(await list({ Filters: [{ Name: 'tag:team', Values: ['a'] }] })).toEqual([shown]);
    expect(await list()).toMatchObject([shown, { EgressOnlyInternetGatewayId: other, Tags: [] }]);
  });

  test('is made once for a token', async () => {
    const first = await make({ ClientToken: 'once' });
    expect(await make({ ClientToken: 'once' })).toBe(first);
    expect(await list()).toHaveLength(1);
  });

  test('is gone once it is deleted, and a second deletion finds none', async () => {
    const EgressOnlyInternetGatewayId = await make();
    expect(await call('DeleteEgressOnlyInternetGateway', { EgressOnlyInternetGatewayId })).toEqual({
      ReturnCode: true,
    });
    expect(await list()).toEqual([]);
    expect(await call('DeleteEgressOnlyInternetGateway', { EgressOnlyInternetGatewayId })).toBe(
      'InvalidGatewayID.NotFound',
    );
  });

  test('needs a VPC that there is', async () => {
    expect(await call('CreateEgressOnlyInternetGateway', { VpcId: 'vpc-0a' })).toBe('InvalidVpcID.NotFound');
  });
});

describe('the services that endpoints are made for', () => {
  const services = async (input: object = {}) =>
    (await call('DescribeVpcEndpointServices', input)) as {
      ServiceNames: string[];
      ServiceDetails: { ServiceType: object[]; PrivateDnsName?: string }[];
      NextToken?: string;
    };

  test('are told with their kinds and names; a gateway has no private name', async () => {
    const { ServiceNames, ServiceDetails } = await services({ ServiceNames: [sts] });
    expect(ServiceNames).toEqual([sts]);
    expect(ServiceDetails).toMatchObject([
      {
        ServiceType: [{ ServiceType: 'Interface' }],
        PrivateDnsName: 'sts.us-east-1.amazonaws.com',
        Owner: 'amazon',
        AvailabilityZones: account.aws.ec2.network.zones.map(({ name }) => name),
      },
    ]);
    const gateways = await services({ Filters: [{ Name: 'service-type', Values: ['Gateway'] }] });
    expect(gateways.ServiceNames).toContain(s3);
    expect(gateways.ServiceNames).not.toContain(sts);
  });

  test('come in pages', async () => {
    const { ServiceNames } = await services();
    const first = await services({ MaxResults: 2 });
    const rest = await services({ NextToken: first.NextToken });
    expect([...first.ServiceNames, ...rest.ServiceNames]).toEqual(ServiceNames);
    expect(first.ServiceNames).toHaveLength(2);
  });

  test('one that there is not is refused by name', async () => {
    expect(await refusalOf('DescribeVpcEndpointServices', { ServiceNames: ['com.amazonaws.us-east-1.x'] })).toBe(
      "InvalidServiceName: The Vpc Endpoint Service 'com.amazonaws.us-east-1.x' does not exist",
    );
  });
});

describe('an endpoint that is changed', () => {
  const make = async (input: object): Promise<string> => {
    const made = (await call('CreateVpcEndpoint', { VpcId: account.aws.ec2.network.vpcId, ...input })) as {
      VpcEndpoint: { VpcEndpointId: string };
    };
    return made.VpcEndpoint.VpcEndpointId;
  };
  const shown = async (id: string) =>
    ((await call('DescribeVpcEndpoints', { VpcEndpointIds: [id] })) as { VpcEndpoints: object[] }).VpcEndpoints[0];
  const subnetIds = () => account.aws.ec2.network.subnets.map(({ id }) => id);

  test('is in the subnets that were added, and no longer in those that were removed', async () => {
    const [first, second] = subnetIds();
    const VpcEndpointId = await make({ ServiceName: sts, VpcEndpointType: 'Interface', SubnetIds: [first] });
    const change = { VpcEndpointId, AddSubnetIds: [second], RemoveSubnetIds: [first], PrivateDnsEnabled: false };
    expect(await call('ModifyVpcEndpoint', change)).toEqual({ Return: true });
    expect(await shown(VpcEndpointId)).toMatchObject({ SubnetIds: [second], PrivateDnsEnabled: false });
  });

  test('has the policy that it was given until that is reset', async () => {
    const VpcEndpointId = await make({ ServiceName: s3 });
    const before = await shown(VpcEndpointId);
    await call('ModifyVpcEndpoint', { VpcEndpointId, PolicyDocument: '{"Statement":[]}' });
    expect(await shown(VpcEndpointId)).toMatchObject({ PolicyDocument: '{"Statement":[]}' });
    await call('ModifyVpcEndpoint', { VpcEndpointId, ResetPolicy: true });
    expect(await shown(VpcEndpointId)).toEqual(before);
  });

  test('stays as it is after a dry run, and where the change is refused', async () => {
    const VpcEndpointId = await make({ ServiceName: s3 });
    const before = await shown(VpcEndpointId);
    const change = { VpcEndpointId, PolicyDocument: '{}' };
    expect(await call('ModifyVpcEndpoint', { ...change, DryRun: true })).toBe('DryRunOperation');
    expect(await call('ModifyVpcEndpoint', { ...change, AddSubnetIds: subnetIds() })).toBe('InvalidParameter');
    expect(await call('ModifyVpcEndpoint', { ...change, AddRouteTableIds: ['rtb-0a'] })).toBe(
      'InvalidRouteTableID.NotFound',
    );
    expect(await shown(VpcEndpointId)).toEqual(before);
  });

  test('has to be there', async () => {
    expect(await call('ModifyVpcEndpoint', { VpcEndpointId: 'vpce-0a' })).toBe('InvalidVpcEndpointId.NotFound');
  });
});

test('no elastic address has a domain name, and one that there is not is refused', async () => {
  const { AllocationId } = (await call('AllocateAddress')) as { AllocationId: string };
  expect(await call('DescribeAddressesAttribute', { AllocationIds: [AllocationId] })).toEqual({ Addresses: [] });
  expect(await call('DescribeAddressesAttribute', { AllocationIds: ['eipalloc-0a'] })).toBe(
    'InvalidAllocationID.NotFound',
  );
});

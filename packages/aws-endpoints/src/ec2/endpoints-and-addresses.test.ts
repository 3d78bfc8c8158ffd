import { expect, test } from 'vitest';
import { minutes } from '@nodewright/apis';
import { anEc2, never, x86 } from '@nodewright/testkit/worlds';

async function aWorld() {
  const account = await anEc2();
  const served = { signal: never, serving: { wait: (work: () => Promise<void>) => work() } };
  const ask = async (operation: string, input: object) => {
    const answer = await account.aws.answer({ service: 'ec2', operation, input }, served);
    return answer.kind === 'answered' ? (answer.output as Record<string, never>) : { code: answer.code };
  };
  return { account, ask, network: account.aws.ec2.network };
}

const s3 = 'com.amazonaws.us-east-1.s3';
const sts = 'com.amazonaws.us-east-1.sts';

for (const { fact, input, code } of [
  {
    fact: 'a service that there is not',
    input: { ServiceName: 'com.amazonaws.us-east-1.x' },
    code: 'InvalidServiceName',
  },
  { fact: 'a route to a service of interfaces', input: { ServiceName: sts }, code: 'InvalidParameter' },
  {
    fact: 'a table that there is not',
    input: { ServiceName: s3, RouteTableIds: ['rtb-0a'] },
    code: 'InvalidRouteTableID.NotFound',
  },
  { fact: 'subnets of a route', input: { ServiceName: s3, SubnetIds: ['subnet-0a'] }, code: 'InvalidParameter' },
  {
    fact: 'a subnet that there is not',
    input: { ServiceName: sts, VpcEndpointType: 'Interface', SubnetIds: ['subnet-0a'] },
    code: 'InvalidSubnetID.NotFound',
  },
] as const) {
  test(`an endpoint is refused for ${fact}`, async () => {
    const { ask, network } = await aWorld();
    expect(await ask('CreateVpcEndpoint', { VpcId: network.vpcId, ...input })).toEqual({ code });
  });
}

test('an endpoint of interfaces holds its subnet from its creation until a while after its end', async () => {
  const { ask, network, account } = await aWorld();
  const [subnet] = network.subnets;
  const created = await ask('CreateVpcEndpoint', {
    VpcId: network.vpcId,
    ServiceName: sts,
    VpcEndpointType: 'Interface',
    SubnetIds: [subnet?.id],
  });
  expect(created).toMatchObject({ VpcEndpoint: { State: 'pending', PrivateDnsEnabled: true } });
  await account.clock.advance(minutes(2));
  const { VpcEndpoints } = (await ask('DescribeVpcEndpoints', {})) as { VpcEndpoints?: { VpcEndpointId: string }[] };
  expect(VpcEndpoints).toMatchObject([{ State: 'available' }]);
  expect(await ask('DeleteSubnet', { SubnetId: subnet?.id })).toEqual({ code: 'DependencyViolation' });
  const id = VpcEndpoints?.[0]?.VpcEndpointId;
  expect(await ask('DeleteVpcEndpoints', { VpcEndpointIds: [id, 'vpce-0a'] })).toMatchObject({
    Unsuccessful: [{ ResourceId: 'vpce-0a' }],
  });
  await account.clock.advance(minutes(2));
  expect(await ask('DescribeVpcEndpoints', {})).toMatchObject({ VpcEndpoints: [] });
});

test('an elastic address follows its instance and comes back at its end', async () => {
  const { ask, account } = await aWorld();
  const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
  await ask('RunInstances', launch);
  const InstanceId = account.aws.ec2.instances.all()[0]?.id;
  const { AllocationId, PublicIp } = (await ask('AllocateAddress', {})) as { AllocationId?: string; PublicIp?: string };
  expect(await ask('AssociateAddress', { AllocationId, InstanceId })).toEqual({ code: 'IncorrectInstanceState' });
  await account.clock.advance(minutes(1));
  await ask('DescribeInstances', {});
  expect(await ask('AssociateAddress', { AllocationId, InstanceId })).toMatchObject({
    AssociationId: expect.any(String),
  });
  expect(await ask('DescribeInstances', {})).toMatchObject({
    Reservations: [{ Instances: [{ PublicIpAddress: PublicIp }] }],
  });
  expect(await ask('DescribeNetworkInterfaces', {})).toMatchObject({
    NetworkInterfaces: [{ Association: { AllocationId, PublicIp } }],
  });
  expect(await ask('ReleaseAddress', { AllocationId })).toEqual({ code: 'InvalidIPAddress.InUse' });
  await ask('TerminateInstances', { InstanceIds: [InstanceId] });
  await account.clock.advance(minutes(2));
  expect(await ask('ReleaseAddress', { AllocationId })).not.toHaveProperty('code');
  expect(await ask('DisassociateAddress', { AssociationId: 'eipassoc-0a' })).toEqual({
    code: 'InvalidAssociationID.NotFound',
  });
});

import { minutes } from '@nodewright/apis';
import type { ec2Caller } from './ec2-caller.ts';
import type { TestAccount } from './test-account.ts';
import { x86 } from './an-ec2.ts';

type CalledAccount = TestAccount & ReturnType<typeof ec2Caller>;

const tagged = (ResourceType: string, name = 'a') => ({
  TagSpecifications: [{ ResourceType, Tags: [{ Key: 'Name', Value: name }] }],
});

/** Asks for something, and takes from the answer what lies at a path: `Vpc.VpcId`, `Instances.0.InstanceId`. */
export async function makeInEc2(
  { call }: Pick<CalledAccount, 'call'>,
  operation: string,
  input: object,
  path = '',
): Promise<string> {
  const answer = await call(operation, input);
  if (typeof answer === 'string') throw new Error(`${operation} ${JSON.stringify(input)}: ${answer}`);
  const found = path
    .split('.')
    .reduce((object: unknown, key) => (key === '' ? object : Reflect.get(Object(object), key)), answer);
  return String(found);
}

/**
 * Makes one of everything in EC2, two minutes long; some of it is under way at the end.
 * @returns the ids of what filters are asked about
 */
export async function fillEc2(account: CalledAccount) {
  const made = (operation: string, input: object, path?: string) => makeInEc2(account, operation, input, path);
  const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
  await made('CreateKeyPair', { KeyName: 'mine', ...tagged('key-pair') });
  await made('CreatePlacementGroup', { GroupName: 'racks', Strategy: 'partition', PartitionCount: 2 });
  const VpcId = await made('CreateVpc', { CidrBlock: '10.1.0.0/16', ...tagged('vpc') }, 'Vpc.VpcId');
  await made('ModifyVpcAttribute', { VpcId, EnableDnsHostnames: { Value: true } });
  await made('AssociateVpcCidrBlock', { VpcId, CidrBlock: '10.2.0.0/16' });
  const subnet = { VpcId, CidrBlock: '10.1.1.0/24', AvailabilityZone: 'us-east-1b', ...tagged('subnet') };
  const SubnetId = await made('CreateSubnet', subnet, 'Subnet.SubnetId');
  await made('ModifySubnetAttribute', { SubnetId, MapPublicIpOnLaunch: { Value: true } });
  const GroupId = await made('CreateSecurityGroup', { GroupName: 'web', Description: 'web', VpcId }, 'GroupId');
  await made('AuthorizeSecurityGroupIngress', {
    GroupId,
    IpPermissions: [{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, IpRanges: [{ CidrIp: '10.0.0.0/8' }] }],
  });
  const InternetGatewayId = await made('CreateInternetGateway', {}, 'InternetGateway.InternetGatewayId');
  await made('AttachInternetGateway', { InternetGatewayId, VpcId });
  const RouteTableId = await made('CreateRouteTable', { VpcId }, 'RouteTable.RouteTableId');
  await made('CreateRoute', { RouteTableId, DestinationCidrBlock: '0.0.0.0/0', GatewayId: InternetGatewayId });
  await made('AssociateRouteTable', { RouteTableId, SubnetId });
  await made('CreateEgressOnlyInternetGateway', { VpcId });
  const NetworkAclId = await made('CreateNetworkAcl', { VpcId }, 'NetworkAcl.NetworkAclId');
  const entry = { RuleNumber: 7, Protocol: '-1', RuleAction: 'allow', Egress: false, CidrBlock: '10.0.0.0/8' };
  await made('CreateNetworkAclEntry', { NetworkAclId, ...entry });
  await made('CreateVpcEndpoint', { VpcId, ServiceName: 'com.amazonaws.us-east-1.s3', RouteTableIds: [RouteTableId] });
  const AllocationId = await made('AllocateAddress', { Domain: 'vpc' }, 'AllocationId');
  await made('AllocateAddress', { Domain: 'vpc', ...tagged('elastic-ip', 'spare') });
  await made('CreateNatGateway', { SubnetId, AllocationId });
  await made('CreateNetworkInterface', { SubnetId, Description: 'spare', Groups: [GroupId] });
  const template = {
    LaunchTemplateName: 'nodes',
    LaunchTemplateData: { ImageId: x86.imageId, InstanceType: 'm5.large' },
  };
  const LaunchTemplateId = await made('CreateLaunchTemplate', template, 'LaunchTemplate.LaunchTemplateId');
  await made('CreateLaunchTemplateVersion', { LaunchTemplateId, LaunchTemplateData: { InstanceType: 'c5.large' } });
  await made('ModifyLaunchTemplate', { LaunchTemplateId, DefaultVersion: '2' });
  await made('CreateCapacityReservation', {
    InstanceType: 'm5.large',
    InstancePlatform: 'Linux/UNIX',
    InstanceCount: 2,
    AvailabilityZone: 'us-east-1a',
  });
  const InstanceId = await made(
    'RunInstances',
    {
      ...launch,
      KeyName: 'mine',
      SubnetId,
      SecurityGroupIds: [GroupId],
      BlockDeviceMappings: [{ DeviceName: '/dev/sdb', Ebs: { VolumeSize: 10, VolumeType: 'gp3', Iops: 4_000 } }],
      ...tagged('instance', 'web'),
    },
    'Instances.0.InstanceId',
  );
  await made('ModifyInstanceAttribute', { InstanceId, DisableApiTermination: { Value: true } });
  await made('RunInstances', { ...launch, Placement: { GroupName: 'racks' } });
  await made('RunInstances', { ...launch, InstanceMarketOptions: { MarketType: 'spot' }, ClientToken: 'once' });
  const leaving = await made('RunInstances', { ...launch, ...tagged('instance', 'leaving') }, 'Instances.0.InstanceId');
  await account.clock.advance(minutes(2));
  await made('CreateImage', { InstanceId, Name: 'mine', Description: 'of web' });
  await made('StopInstances', { InstanceIds: [InstanceId] });
  await made('TerminateInstances', { InstanceIds: [leaving] });
  await made('CreateTags', { Resources: [VpcId, InstanceId], Tags: [{ Key: 'team', Value: 'blue' }] });
  return {
    VpcId,
    SubnetId,
    GroupId,
    InternetGatewayId,
    RouteTableId,
    NetworkAclId,
    AllocationId,
    LaunchTemplateId,
    InstanceId,
  };
}

import { anEc2, ec2Caller, templateName } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';

let refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
beforeAll(async () => {
  ({ refusalOf } = ec2Caller((await anEc2()).aws));
});

const entry = { NetworkAclId: 'acl-0a', RuleNumber: 1, Egress: true, Protocol: '6', RuleAction: 'allow' };
const reservation = { InstanceType: 'm5.large', InstancePlatform: 'Linux/UNIX', InstanceCount: 1 };
const template = { LaunchTemplateName: 'new', LaunchTemplateData: { InstanceType: 'm5.large' } };
const fleet = {
  LaunchTemplateConfigs: [{ LaunchTemplateSpecification: { LaunchTemplateName: templateName, Version: '1' } }],
  TargetCapacitySpecification: { TotalTargetCapacity: 1 },
};

/** Every operation with a request that has all required members, and those that it must have. */
const required: readonly (readonly [operation: string, request: Readonly<Record<string, unknown>>])[] = [
  ['AssociateRouteTable', { RouteTableId: 'rtb-0a' }],
  ['AssociateSubnetCidrBlock', { SubnetId: 'subnet-0a' }],
  ['AssociateVpcCidrBlock', { VpcId: 'vpc-0a' }],
  ['AttachInternetGateway', { InternetGatewayId: 'igw-0a', VpcId: 'vpc-0a' }],
  ['CopyImage', { Name: 'new', SourceImageId: 'ami-0a', SourceRegion: 'us-east-1' }],
  ['CreateCapacityReservation', reservation],
  ['CreateEgressOnlyInternetGateway', { VpcId: 'vpc-0a' }],
  ['CreateFleet', fleet],
  ['CreateImage', { InstanceId: 'i-0a', Name: 'new' }],
  ['CreateInterruptibleCapacityReservationAllocation', { CapacityReservationId: 'cr-0a', InstanceCount: 1 }],
  ['CreateKeyPair', { KeyName: 'new' }],
  ['CreateLaunchTemplate', template],
  ['CreateLaunchTemplateVersion', { LaunchTemplateData: { InstanceType: 'm5.large' } }],
  ['CreateNatGateway', { SubnetId: 'subnet-0a' }],
  ['CreateNetworkAcl', { VpcId: 'vpc-0a' }],
  ['CreateNetworkAclEntry', entry],
  ['CreateRoute', { RouteTableId: 'rtb-0a' }],
  ['CreateRouteTable', { VpcId: 'vpc-0a' }],
  ['CreateSecurityGroup', { Description: 'new', GroupName: 'new' }],
  ['CreateSubnet', { VpcId: 'vpc-0a' }],
  ['CreateTags', { Resources: ['i-0a'], Tags: [{ Key: 'a', Value: 'b' }] }],
  ['CreateVpcEndpoint', { VpcId: 'vpc-0a', ServiceName: 'com.amazonaws.us-east-1.s3' }],
  ['DeleteEgressOnlyInternetGateway', { EgressOnlyInternetGatewayId: 'eigw-0a' }],
  ['DeleteInternetGateway', { InternetGatewayId: 'igw-0a' }],
  ['DeleteLaunchTemplateVersions', { Versions: ['1'] }],
  ['DeleteNatGateway', { NatGatewayId: 'nat-0a' }],
  ['DeleteNetworkAcl', { NetworkAclId: 'acl-0a' }],
  ['DeleteNetworkAclEntry', { NetworkAclId: 'acl-0a', RuleNumber: 1, Egress: true }],
  ['DeletePlacementGroup', { GroupName: 'close' }],
  ['DeleteRoute', { RouteTableId: 'rtb-0a' }],
  ['DeleteRouteTable', { RouteTableId: 'rtb-0a' }],
  ['DeleteSubnet', { SubnetId: 'subnet-0a' }],
  ['DeleteTags', { Resources: ['i-0a'] }],
  ['DeleteVpc', { VpcId: 'vpc-0a' }],
  ['DeleteVpcEndpoints', { VpcEndpointIds: ['vpce-0a'] }],
  ['DeregisterImage', { ImageId: 'ami-0a' }],
  ['DescribeImageAttribute', { Attribute: 'description', ImageId: 'ami-0a' }],
  ['DescribeInstanceAttribute', { Attribute: 'userData', InstanceId: 'i-0a' }],
  ['DescribeVpcAttribute', { Attribute: 'enableDnsSupport', VpcId: 'vpc-0a' }],
  ['DetachInternetGateway', { InternetGatewayId: 'igw-0a', VpcId: 'vpc-0a' }],
  ['DisableImageDeprecation', { ImageId: 'ami-0a' }],
  ['DisassociateRouteTable', { AssociationId: 'rtbassoc-0a' }],
  ['DisassociateSubnetCidrBlock', { AssociationId: 'subnet-cidr-assoc-0a' }],
  ['DisassociateVpcCidrBlock', { AssociationId: 'vpc-cidr-assoc-0a' }],
  ['EnableImageDeprecation', { DeprecateAt: new Date('2030-01-01T00:00:00Z'), ImageId: 'ami-0a' }],
  ['GetConsoleOutput', { InstanceId: 'i-0a' }],
  [
    'ImportKeyPair',
    {
      KeyName: 'new',
      PublicKeyMaterial: Buffer.from(
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPli933zKrT3EVwxsXb2Yp4svfxMOR0OUwjBdYy2ntVH',
      ),
    },
  ],
  ['ModifyCapacityReservation', { CapacityReservationId: 'cr-0a' }],
  ['ModifyImageAttribute', { ImageId: 'ami-0a' }],
  ['ModifyInstanceAttribute', { InstanceId: 'i-0a' }],
  ['ModifyInstanceMetadataOptions', { InstanceId: 'i-0a' }],
  ['ModifySubnetAttribute', { SubnetId: 'subnet-0a' }],
  ['ModifyVpcAttribute', { VpcId: 'vpc-0a' }],
  ['ModifyVpcEndpoint', { VpcEndpointId: 'vpce-0a' }],
  ['ReplaceNetworkAclAssociation', { AssociationId: 'aclassoc-0a', NetworkAclId: 'acl-0a' }],
  ['ReplaceNetworkAclEntry', entry],
  ['ReplaceRoute', { RouteTableId: 'rtb-0a' }],
  ['ReplaceRouteTableAssociation', { AssociationId: 'rtbassoc-0a', RouteTableId: 'rtb-0a' }],
  ['ResetImageAttribute', { Attribute: 'launchPermission', ImageId: 'ami-0a' }],
  ['RunInstances', { MaxCount: 1, MinCount: 1 }],
  ['UpdateInterruptibleCapacityReservationAllocation', { CapacityReservationId: 'cr-0a', TargetInstanceCount: 0 }],
];

const cases = required.flatMap(([operation, request]) =>
  Object.keys(request).map((member) => ({ operation, request, member })),
);

/** Lists go over the wire item by item, by the name of one: `VersionIds` as `VersionId`, `Resources` as `ResourceId`. */
const nameOnTheWire = (member: string): string => member.toLowerCase().replace(/s$/, '');

describe('a request without a member that EC2 requires is refused by the name of the member', () => {
  test.each(cases)('$operation without $member', async ({ operation, request, member }) => {
    const { [member]: _left, ...rest } = request;
    const refusal = await refusalOf(operation, rest);
    expect(refusal).toMatch(/^MissingParameter: /);
    expect(refusal.toLowerCase()).toContain(nameOnTheWire(member));
  });

  test.each(required)('%s with all of them is not', async (operation, request) => {
    expect(await refusalOf(operation, request)).not.toContain(`must contain the parameter ${Object.keys(request)[0]}`);
  });
});

test.each([
  'MonitorInstances',
  'RebootInstances',
  'StartInstances',
  'StopInstances',
  'TerminateInstances',
  'UnmonitorInstances',
])('%s without instances says so', async (operation) => {
  expect(await refusalOf(operation, {})).toBe('InvalidParameterCombination: No instances specified');
});

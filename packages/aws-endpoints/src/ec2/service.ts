import {
  AllocateAddress$,
  DescribeVpcEndpointServices$,
  ReleaseAddress$,
  DescribeAddressesAttribute$,
  CreateInternetGateway$,
  AttachInternetGateway$,
  DetachInternetGateway$,
  DeleteInternetGateway$,
  CreateEgressOnlyInternetGateway$,
  DeleteEgressOnlyInternetGateway$,
  DescribeEgressOnlyInternetGateways$,
  CreateNatGateway$,
  DeleteNatGateway$,
  CreateRouteTable$,
  DeleteRouteTable$,
  AssociateRouteTable$,
  DisassociateRouteTable$,
  ReplaceRouteTableAssociation$,
  CreateRoute$,
  ReplaceRoute$,
  DeleteRoute$,
  AssociateVpcCidrBlock$,
  DisassociateVpcCidrBlock$,
  AssociateSubnetCidrBlock$,
  DisassociateSubnetCidrBlock$,
  DescribeAccountAttributes$,
  DescribeAddresses$,
  DescribeIamInstanceProfileAssociations$,
  GetConsoleOutput$,
  GetEbsDefaultKmsKeyId$,
  GetEbsEncryptionByDefault$,
  GetInstanceMetadataDefaults$,
  AuthorizeSecurityGroupEgress$,
  AuthorizeSecurityGroupIngress$,
  CreateKeyPair$,
  CreateSecurityGroup$,
  CreateSubnet$,
  CreateVpc$,
  DeleteVpc$,
  DescribeVpcAttribute$,
  ModifyVpcAttribute$,
  DeleteKeyPair$,
  DescribeInternetGateways$,
  DescribeKeyPairs$,
  CreateNetworkAcl$,
  CreateNetworkAclEntry$,
  DeleteNetworkAcl$,
  DeleteNetworkAclEntry$,
  DescribeNatGateways$,
  DescribeNetworkAcls$,
  ReplaceNetworkAclAssociation$,
  ReplaceNetworkAclEntry$,
  DescribeNetworkInterfaces$,
  DescribeRegions$,
  DescribeRouteTables$,
  DescribeSecurityGroupRules$,
  DescribeSnapshots$,
  DescribeSpotInstanceRequests$,
  DescribeVolumes$,
  DescribeVpcEndpoints$,
  GetInstanceTypesFromInstanceRequirements$,
  ImportKeyPair$,
  ModifyInstanceMetadataOptions$,
  ModifySubnetAttribute$,
  MonitorInstances$,
  RevokeSecurityGroupEgress$,
  RevokeSecurityGroupIngress$,
  StartInstances$,
  StopInstances$,
  UnmonitorInstances$,
  CancelCapacityReservation$,
  CreateCapacityReservation$,
  CreateFleet$,
  CreateLaunchTemplate$,
  CreateLaunchTemplateVersion$,
  CreateTags$,
  DeleteLaunchTemplate$,
  DeleteLaunchTemplateVersions$,
  DeleteSecurityGroup$,
  DeleteSubnet$,
  DeleteTags$,
  DescribeAvailabilityZones$,
  DescribeCapacityReservations$,
  DescribeImages$,
  DescribeInstanceAttribute$,
  DescribeInstances$,
  DescribeInstanceStatus$,
  DescribeInstanceTypeOfferings$,
  DescribeInstanceTypes$,
  DescribeLaunchTemplates$,
  DescribeLaunchTemplateVersions$,
  CreatePlacementGroup$,
  DeletePlacementGroup$,
  DescribePlacementGroups$,
  DescribeSecurityGroups$,
  DescribeSpotPriceHistory$,
  DescribeSubnets$,
  DescribeTags$,
  DescribeVpcs$,
  ModifyCapacityReservation$,
  ModifyLaunchTemplate$,
  RebootInstances$,
  RunInstances$,
  TerminateInstances$,
  CopyImage$,
  CreateImage$,
  DeregisterImage$,
  DescribeImageAttribute$,
  DisableImageDeprecation$,
  EnableImageDeprecation$,
  ModifyImageAttribute$,
  ModifyInstanceAttribute$,
  RegisterImage$,
  ResetImageAttribute$,
} from '@aws-sdk/client-ec2';
import { queryProtocol } from '../codec/query-protocol.ts';
import type { OperationSchema, WireStructure } from '../codec/shape.ts';
import { defineOperation, type AwsOperation, type AwsService } from '../service.ts';
import {
  describeAccountAttributes,
  getEbsDefaultKmsKeyId,
  getEbsEncryptionByDefault,
  getInstanceMetadataDefaults,
} from './account-operations.ts';
import { getConsoleOutput } from './console-output.ts';
import { describeProfileAssociations } from './instance-profile-associations.ts';
import { describeImages } from './describe-images.ts';
import {
  describeInstanceTypeOfferings,
  describeInstanceTypes,
  describeSpotPriceHistory,
} from './describe-instance-types.ts';
import {
  describeAvailabilityZones,
  describeSecurityGroups,
  describeSubnets,
  describeVpcs,
} from './describe-network.ts';
import {
  cancelCapacityReservation,
  createCapacityReservation,
  describeCapacityReservations,
  modifyCapacityReservation,
} from './capacity-reservation-operations.ts';
import { createPlacementGroup, deletePlacementGroup, describePlacementGroups } from './placement-group-operations.ts';
import { deleteSecurityGroup, deleteSubnet, modifySubnetAttribute } from './network-operations.ts';
import { createSubnet } from './create-subnet.ts';
import { createVpc, deleteVpc, describeVpcAttribute, modifyVpcAttribute } from './vpc-operations.ts';
import { describeNetworkInterfaces } from './describe-network-interfaces.ts';
import { describeRegions } from './describe-regions.ts';
import { describeVpcEndpoints, describeVpcEndpointServices } from './describe-vpc-endpoints.ts';
import { listAddressCalls } from './address-and-endpoint-calls.ts';
import {
  allocateAddress,
  describeAddresses,
  describeAddressesAttribute,
  releaseAddress,
} from './elastic-address-operations.ts';
import {
  attachInternetGateway,
  createEgressGateway,
  createInternetGateway,
  deleteEgressGateway,
  deleteInternetGateway,
  describeEgressGateways,
  describeInternetGateways,
  detachInternetGateway,
} from './internet-gateway-operations.ts';
import { createNatGateway, deleteNatGateway, describeNatGateways } from './nat-gateway-operations.ts';
import {
  createNetworkAcl,
  createNetworkAclEntry,
  deleteNetworkAcl,
  deleteNetworkAclEntry,
  describeNetworkAcls,
  replaceNetworkAclAssociation,
  replaceNetworkAclEntry,
} from './network-acl-operations.ts';
import { createRoute, deleteRoute, replaceRoute } from './route-operations.ts';
import {
  associateRouteTable,
  createRouteTable,
  deleteRouteTable,
  describeRouteTables,
  disassociateRouteTable,
  replaceRouteTableAssociation,
} from './route-table-operations.ts';
import {
  associateSubnetBlock,
  associateVpcBlock,
  disassociateSubnetBlock,
  disassociateVpcBlock,
} from './vpc-block-operations.ts';
import { describeSnapshots } from './describe-snapshots.ts';
import { describeSpotInstanceRequests } from './describe-spot-requests.ts';
import { describeVolumes } from './describe-volumes.ts';
import { getInstanceTypesFromRequirements } from './instance-requirements.ts';
import { createKeyPair, deleteKeyPair, describeKeyPairs, importKeyPair } from './key-pair-operations.ts';
import {
  authorizeEgress,
  authorizeIngress,
  createSecurityGroup,
  describeSecurityGroupRules,
  revokeEgress,
  revokeIngress,
} from './security-group-operations.ts';
import { startInstances, stopInstances } from './start-stop-operations.ts';
import { dryRunWouldSucceed } from './errors.ts';
import {
  copyImage,
  createImage,
  deregisterImage,
  describeImageAttribute,
  disableImageDeprecation,
  enableImageDeprecation,
  modifyImageAttribute,
  registerImage,
  resetImageAttribute,
} from './image-operations.ts';
import {
  describeInstanceAttribute,
  modifyInstanceAttribute,
  modifyInstanceMetadataOptions,
  monitorInstances,
  unmonitorInstances,
} from './instance-attributes.ts';
import { describeInstances, rebootInstances, terminateInstances } from './instance-operations.ts';
import { describeInstanceStatus } from './instance-status.ts';
import { createFleet, runInstances } from './launch-operations.ts';
import {
  createLaunchTemplate,
  deleteLaunchTemplate,
  describeLaunchTemplates,
  describeLaunchTemplateVersions,
} from './launch-template-operations.ts';
import {
  createLaunchTemplateVersion,
  deleteLaunchTemplateVersions,
  modifyLaunchTemplate,
} from './launch-template-version-operations.ts';
import type { Ec2 } from './model.ts';
import { createTags, deleteTags, describeTags } from './tag-operations.ts';
import { ec2Constraints, ec2Limits } from './input-limits.ts';
import { ec2Rules } from './request-rules.ts';

export const ec2Service = (ec2: Ec2): AwsService => {
  const read = <Input extends { DryRun?: boolean | undefined }, Output extends object>(
    schema: OperationSchema,
    serve: (ec2: Ec2, input: Input) => Output,
  ): AwsOperation => defineOperation(schema, (input: Input) => unlessDryRun(input, serve(ec2, input)));
  const write = <Input, Output extends object>(
    schema: OperationSchema,
    serve: (ec2: Ec2, input: Input) => Output,
  ): AwsOperation => defineOperation(schema, (input: Input) => serve(ec2, input));
  return {
    name: 'ec2',
    protocol: queryProtocol({ dialect: 'ec2Query', namespace: 'http://ec2.amazonaws.com/doc/2016-11-15/' }),
    commonErrors: {
      throttling: { code: 'RequestLimitExceeded', status: 503, message: 'Request limit exceeded.' },
      accessDenied: {
        code: 'UnauthorizedOperation',
        status: 403,
        preface: 'You are not authorized to perform this operation. ',
      },
    },
    limits: ec2Limits,
    constraints: ec2Constraints,
    rules: ec2Rules,
    operations: [
      read(DescribeAccountAttributes$, describeAccountAttributes),
      read(DescribeAddresses$, describeAddresses),
      write(DescribeIamInstanceProfileAssociations$, describeProfileAssociations),
      read(GetConsoleOutput$, getConsoleOutput),
      read(GetEbsDefaultKmsKeyId$, getEbsDefaultKmsKeyId),
      read(GetEbsEncryptionByDefault$, getEbsEncryptionByDefault),
      read(GetInstanceMetadataDefaults$, getInstanceMetadataDefaults),
      read(DescribeAvailabilityZones$, describeAvailabilityZones),
      read(DescribeCapacityReservations$, describeCapacityReservations),
      read(DescribeImages$, describeImages),
      read(DescribeInstanceAttribute$, describeInstanceAttribute),
      read(DescribeInstanceStatus$, describeInstanceStatus),
      read(DescribeInstanceTypeOfferings$, describeInstanceTypeOfferings),
      read(DescribeInstanceTypes$, describeInstanceTypes),
      read(DescribeInstances$, describeInstances),
      read(DescribeLaunchTemplateVersions$, describeLaunchTemplateVersions),
      read(DescribeLaunchTemplates$, describeLaunchTemplates),
      read(DescribePlacementGroups$, describePlacementGroups),
      read(DescribeSecurityGroups$, describeSecurityGroups),
      read(DescribeSpotPriceHistory$, describeSpotPriceHistory),
      read(DescribeSubnets$, describeSubnets),
      read(DescribeTags$, describeTags),
      read(DescribeVpcAttribute$, describeVpcAttribute),
      read(DescribeVpcs$, describeVpcs),
      read(DescribeInternetGateways$, describeInternetGateways),
      read(DescribeKeyPairs$, describeKeyPairs),
      read(DescribeNatGateways$, describeNatGateways),
      read(DescribeNetworkAcls$, describeNetworkAcls),
      read(DescribeNetworkInterfaces$, describeNetworkInterfaces),
      read(DescribeRegions$, describeRegions),
      read(DescribeRouteTables$, describeRouteTables),
      read(DescribeSecurityGroupRules$, describeSecurityGroupRules),
      read(DescribeSnapshots$, describeSnapshots),
      read(DescribeSpotInstanceRequests$, describeSpotInstanceRequests),
      read(DescribeVolumes$, describeVolumes),
      read(DescribeVpcEndpoints$, describeVpcEndpoints),
      read(GetInstanceTypesFromInstanceRequirements$, getInstanceTypesFromRequirements),
      ...listAddressCalls(ec2),
      write(AllocateAddress$, allocateAddress),
      read(DescribeVpcEndpointServices$, describeVpcEndpointServices),
      write(ReleaseAddress$, releaseAddress),
      read(DescribeAddressesAttribute$, describeAddressesAttribute),
      write(CreateInternetGateway$, createInternetGateway),
      write(AttachInternetGateway$, attachInternetGateway),
      write(DetachInternetGateway$, detachInternetGateway),
      write(DeleteInternetGateway$, deleteInternetGateway),
      write(CreateEgressOnlyInternetGateway$, createEgressGateway),
      write(DeleteEgressOnlyInternetGateway$, deleteEgressGateway),
      read(DescribeEgressOnlyInternetGateways$, describeEgressGateways),
      write(CreateNatGateway$, createNatGateway),
      write(DeleteNatGateway$, deleteNatGateway),
      write(CreateNetworkAcl$, createNetworkAcl),
      write(CreateNetworkAclEntry$, createNetworkAclEntry),
      write(DeleteNetworkAcl$, deleteNetworkAcl),
      write(DeleteNetworkAclEntry$, deleteNetworkAclEntry),
      write(ReplaceNetworkAclAssociation$, replaceNetworkAclAssociation),
      write(ReplaceNetworkAclEntry$, replaceNetworkAclEntry),
      write(CreateRouteTable$, createRouteTable),
      write(DeleteRouteTable$, deleteRouteTable),
      write(AssociateRouteTable$, associateRouteTable),
      write(DisassociateRouteTable$, disassociateRouteTable),
      write(ReplaceRouteTableAssociation$, replaceRouteTableAssociation),
      write(CreateRoute$, createRoute),
      write(ReplaceRoute$, replaceRoute),
      write(DeleteRoute$, deleteRoute),
      write(AssociateVpcCidrBlock$, associateVpcBlock),
      write(DisassociateVpcCidrBlock$, disassociateVpcBlock),
      write(AssociateSubnetCidrBlock$, associateSubnetBlock),
      write(DisassociateSubnetCidrBlock$, disassociateSubnetBlock),
      write(AuthorizeSecurityGroupEgress$, authorizeEgress),
      write(AuthorizeSecurityGroupIngress$, authorizeIngress),
      write(CreateKeyPair$, createKeyPair),
      write(CreateSubnet$, createSubnet),
      write(CreateVpc$, createVpc),
      write(DeleteVpc$, deleteVpc),
      write(ModifyVpcAttribute$, modifyVpcAttribute),
      write(CreateSecurityGroup$, createSecurityGroup),
      write(DeleteKeyPair$, deleteKeyPair),
      write(ImportKeyPair$, importKeyPair),
      write(ModifyInstanceMetadataOptions$, modifyInstanceMetadataOptions),
      write(ModifySubnetAttribute$, modifySubnetAttribute),
      write(MonitorInstances$, monitorInstances),
      write(RevokeSecurityGroupEgress$, revokeEgress),
      write(RevokeSecurityGroupIngress$, revokeIngress),
      write(StartInstances$, startInstances),
      write(StopInstances$, stopInstances),
      write(UnmonitorInstances$, unmonitorInstances),
      write(CancelCapacityReservation$, cancelCapacityReservation),
      write(CreateCapacityReservation$, createCapacityReservation),
      write(CopyImage$, copyImage),
      write(CreateImage$, createImage),
      write(DeregisterImage$, deregisterImage),
      read(DescribeImageAttribute$, describeImageAttribute),
      write(DisableImageDeprecation$, disableImageDeprecation),
      write(EnableImageDeprecation$, enableImageDeprecation),
      write(ModifyImageAttribute$, modifyImageAttribute),
      write(ResetImageAttribute$, resetImageAttribute),
      write(RegisterImage$, registerImage),
      write(CreateFleet$, createFleet),
      write(CreateLaunchTemplate$, createLaunchTemplate),
      write(CreateLaunchTemplateVersion$, createLaunchTemplateVersion),
      write(CreatePlacementGroup$, createPlacementGroup),
      write(CreateTags$, createTags),
      write(DeleteLaunchTemplate$, deleteLaunchTemplate),
      write(DeleteLaunchTemplateVersions$, deleteLaunchTemplateVersions),
      write(DeletePlacementGroup$, deletePlacementGroup),
      write(DeleteSecurityGroup$, deleteSecurityGroup),
      write(DeleteSubnet$, deleteSubnet),
      write(DeleteTags$, deleteTags),
      write(ModifyInstanceAttribute$, modifyInstanceAttribute),
      write(ModifyCapacityReservation$, modifyCapacityReservation),
      write(ModifyLaunchTemplate$, modifyLaunchTemplate),
      write(RunInstances$, runInstances),
      write(RebootInstances$, rebootInstances),
      write(TerminateInstances$, terminateInstances),
    ],
  };
};

/** Refuses the dry run of a call that only reads, after the call could have been answered. */
function unlessDryRun<Output extends WireStructure | object>(
  input: { DryRun?: boolean | undefined },
  output: Output,
): Output {
  if (input.DryRun === true) throw dryRunWouldSucceed();
  return output;
}

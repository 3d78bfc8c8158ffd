import type {
  CreateNatGatewayRequest,
  CreateNatGatewayResult,
  DeleteNatGatewayRequest,
  DeleteNatGatewayResult,
  DescribeNatGatewaysRequest,
  DescribeNatGatewaysResult,
  NatGateway,
} from '@aws-sdk/client-ec2';
import { takePage } from '../paging.ts';
import { AwsError } from '../codec/aws-error.ts';
import { changeRouting, noSuchAllocation, noSuchNatGateway } from './change-routing.ts';
import { findAssociation } from './elastic-address-associations.ts';
import { derivedId } from './derived-ids.ts';
import {
  dryRunWouldSucceed,
  ec2BadToken,
  invalidValue,
  missingParameter,
  noFreeAddresses,
  noSuchSubnet,
} from './errors.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import { isHolding, isListed, stateOfNatGateway } from './nat-gateways.ts';
import { parseRecordPaths } from './record-paths.ts';
import { readRouting } from './read-routing.ts';
import { type KeptNatGateway, putById } from './routing.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { checkFreeAddress } from './network-interface-operations.ts';
import { readTagSpecifications, writeEc2Tags } from './tags.ts';
import { vpcIdOf } from './vpcs.ts';

/** EC2's quota of NAT gateways in a zone. */
const mostInZone = 5;

export function createNatGateway(ec2: Ec2, request: CreateNatGatewayRequest): CreateNatGatewayResult {
  const { TagSpecifications: tags, ClientToken: token, SubnetId: subnetId } = request;
  if (subnetId === undefined) throw missingParameter('subnetId');
  const subnet = ec2.network.subnets.find(({ id }) => id === subnetId);
  if (subnet === undefined) throw noSuchSubnet(subnetId);
  checkTagSpecifications(tags, ['natgateway']);
  return ec2.idempotency.once({ operation: 'CreateNatGateway', token, request }, () => {
    checkAllocation(ec2, request);
    checkZoneQuota(ec2, subnet.zone);
    if (request.PrivateIpAddress !== undefined) checkFreeAddress(ec2, request.PrivateIpAddress, subnet);
    if (request.DryRun === true) throw dryRunWouldSucceed();
    const privateIp = ec2.instances.takeAddress(subnetId, request.PrivateIpAddress);
    if (privateIp === undefined) throw noFreeAddresses(subnetId);
    const vpcId = vpcIdOf(ec2.network, subnet);
    const { AllocationId: allocationId } = request;
    const failure = allocationId === undefined ? undefined : findFailure(ec2, vpcId);
    const gateway: KeptNatGateway = {
      id: `nat-0${ec2.random.hex(16)}`,
      subnetId,
      vpcId,
      privateIp,
      createdAt: ec2.clock.now(),
      ...(allocationId !== undefined && { allocationId }),
      ...(failure && { failure }),
    };
    ec2.tags.add(gateway.id, readTagSpecifications('natgateway', tags));
    changeRouting(ec2, ({ natGateways }) => ({ natGateways: putById(natGateways, gateway) }));
    return { ...(token !== undefined && { ClientToken: token }), NatGateway: writeNatGateway(ec2, gateway) };
  });
}

/** A public gateway needs an elastic address that nothing else has; a private one takes none. */
function checkAllocation(ec2: Ec2, { ConnectivityType: type, AllocationId: id }: CreateNatGatewayRequest) {
  if (type === 'private') {
    if (id !== undefined) throw invalidValue('AllocationId cannot be specified for a private NAT gateway.');
    return;
  }
  if (id === undefined)
    throw new AwsError(
      'MissingParameter',
      'The request must include the AllocationId parameter. Add the required parameter and retry the request.',
    );
  const { clock, network } = ec2;
  const { addresses, natGateways } = readRouting(network);
  const address = addresses.find((each) => each.id === id);
  if (address === undefined) throw noSuchAllocation(id);
  if (
    findAssociation(ec2, address) !== undefined ||
    natGateways.some((each) => each.allocationId === id && isHolding(each, clock.now()))
  )
    throw new AwsError('Resource.AlreadyAssociated', `resource ${id} is already associated with another resource`);
}

function checkZoneQuota({ network, clock }: Ec2, zone: string): void {
  const inZone = new Set(network.subnets.filter((subnet) => subnet.zone === zone).map(({ id }) => id));
  const count = readRouting(network).natGateways.filter(
    (each) => inZone.has(each.subnetId) && isHolding(each, clock.now()),
  ).length;
  if (count >= mostInZone)
    throw new AwsError(
      'NatGatewayLimitExceeded',
      `The maximum number of NAT Gateways has been reached in the Availability Zone ${zone}.`,
    );
}

/** Without an internet gateway in its VPC a public gateway fails a while after it was created. */
const findFailure = ({ network }: Ec2, vpcId: string): KeptNatGateway['failure'] =>
  readRouting(network).internetGateways.some((each) => each.vpcId === vpcId)
    ? undefined
    : { code: 'Gateway.NotAttached', message: `Network ${vpcId} has no Internet gateway attached` };

export function deleteNatGateway(
  ec2: Ec2,
  { NatGatewayId: id = '', DryRun }: DeleteNatGatewayRequest,
): DeleteNatGatewayResult {
  const now = ec2.clock.now();
  const found = readRouting(ec2.network).natGateways.find((each) => each.id === id && isListed(each, now));
  if (found === undefined) throw noSuchNatGateway(id);
  if (DryRun === true) throw dryRunWouldSucceed();
  if (found.deletedAt === undefined) {
    ec2.instances.releaseAddress(found.subnetId, found.privateIp);
    changeRouting(ec2, ({ natGateways }) => ({ natGateways: putById(natGateways, { ...found, deletedAt: now }) }));
  }
  return { NatGatewayId: id };
}

const natGatewayPaths = parseRecordPaths(`
  connectivity-type ConnectivityType
  nat-gateway-id NatGatewayId
  state State
  subnet-id SubnetId
  vpc-id VpcId
`);

function writeNatGateway(ec2: Ec2, gateway: KeptNatGateway): NatGateway {
  const { id, subnetId, vpcId, privateIp, allocationId, createdAt, deletedAt, failure } = gateway;
  const state = stateOfNatGateway(gateway, ec2.clock.now());
  const address = readRouting(ec2.network).addresses.find((each) => each.id === allocationId);
  const placed = state !== 'pending' && state !== 'failed';
  return {
    NatGatewayId: id,
    ConnectivityType: allocationId === undefined ? 'private' : 'public',
    State: state,
    SubnetId: subnetId,
    VpcId: vpcId,
    CreateTime: new Date(createdAt),
    ...(deletedAt !== undefined && { DeleteTime: new Date(deletedAt) }),
    ...(state === 'failed' && failure && { FailureCode: failure.code, FailureMessage: failure.message }),
    NatGatewayAddresses: [
      {
        ...(allocationId !== undefined && { AllocationId: allocationId }),
        ...(placed && { PrivateIp: privateIp, NetworkInterfaceId: derivedId('eni', id) }),
        ...(placed && address && { PublicIp: address.publicIp }),
        IsPrimary: true,
        Status: state === 'pending' ? 'associating' : state === 'failed' ? 'failed' : 'succeeded',
      },
    ],
    Tags: writeEc2Tags(ec2.tags.of(id)),
  };
}

export function describeNatGateways(ec2: Ec2, request: DescribeNatGatewaysRequest): DescribeNatGatewaysResult {
  const { NatGatewayIds: ids = [] } = request;
  const now = ec2.clock.now();
  const all = readRouting(ec2.network).natGateways.filter((each) => isListed(each, now));
  const missing = ids.find((id) => !all.some((gateway) => gateway.id === id));
  if (missing !== undefined) throw noSuchNatGateway(missing);
  const asked = all.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const found = applyFilters(asked, request.Filter, {
    records: { write: (each) => writeNatGateway(ec2, each), paths: natGatewayPaths },
    attributes: {},
    tags: ({ id }) => ec2.tags.of(id),
  });
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { NatGateways: items.map((each) => writeNatGateway(ec2, each)), ...(next && { NextToken: next }) };
}

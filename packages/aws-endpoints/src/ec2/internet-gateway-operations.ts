import type {
  AttachInternetGatewayRequest,
  CreateEgressOnlyInternetGatewayRequest,
  CreateEgressOnlyInternetGatewayResult,
  CreateInternetGatewayRequest,
  CreateInternetGatewayResult,
  DeleteEgressOnlyInternetGatewayRequest,
  DeleteEgressOnlyInternetGatewayResult,
  DeleteInternetGatewayRequest,
  DescribeEgressOnlyInternetGatewaysRequest,
  DescribeEgressOnlyInternetGatewaysResult,
  DescribeInternetGatewaysRequest,
  DescribeInternetGatewaysResult,
  DetachInternetGatewayRequest,
  EgressOnlyInternetGateway,
  InternetGateway,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { changeRouting, noSuchEgressGateway, noSuchInternetGateway } from './change-routing.ts';
import { dependencyViolation, dryRunWouldSucceed, ec2BadToken, invalidValue, missingParameter } from './errors.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import { stateOfNatGateway } from './nat-gateways.ts';
import { parseRecordPaths } from './record-paths.ts';
import { readRouting } from './read-routing.ts';
import { type KeptInternetGateway, putById } from './routing.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications, writeEc2Tags } from './tags.ts';
import { getVpc } from './get-vpc.ts';
import { vpcIdOfSubnet } from './vpcs.ts';

/** EC2's quota of internet gateways in a region. */
const mostGateways = 5;

const gatewayPaths = parseRecordPaths(`
  attachment.state Attachments.State
  attachment.vpc-id Attachments.VpcId
  internet-gateway-id InternetGatewayId
  owner-id OwnerId
`);

const writeGateway = (ec2: Ec2, { id, vpcId }: KeptInternetGateway): InternetGateway => ({
  InternetGatewayId: id,
  OwnerId: ec2.account.id,
  Attachments: vpcId === undefined ? [] : [{ State: 'available' as 'attached', VpcId: vpcId }],
  Tags: writeEc2Tags(ec2.tags.of(id)),
});

/** @throws AwsError `InvalidInternetGatewayID.NotFound` */
function getGateway({ network }: Ec2, id: string | undefined): KeptInternetGateway {
  if (id === undefined) throw missingParameter('internetGatewayId');
  const found = readRouting(network).internetGateways.find((gateway) => gateway.id === id);
  if (found === undefined) throw noSuchInternetGateway(id);
  return found;
}

export function createInternetGateway(ec2: Ec2, request: CreateInternetGatewayRequest): CreateInternetGatewayResult {
  checkTagSpecifications(request.TagSpecifications, ['internet-gateway']);
  if (readRouting(ec2.network).internetGateways.length >= mostGateways)
    throw new AwsError('InternetGatewayLimitExceeded', 'The maximum number of internet gateways has been reached.');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const gateway = { id: `igw-0${ec2.random.hex(16)}` };
  ec2.tags.add(gateway.id, readTagSpecifications('internet-gateway', request.TagSpecifications));
  changeRouting(ec2, ({ internetGateways }) => ({ internetGateways: putById(internetGateways, gateway) }));
  return { InternetGateway: writeGateway(ec2, gateway) };
}

export function attachInternetGateway(ec2: Ec2, request: AttachInternetGatewayRequest): object {
  const gateway = getGateway(ec2, request.InternetGatewayId);
  const { id: vpcId } = getVpc(ec2, request.VpcId);
  if (gateway.vpcId !== undefined)
    throw new AwsError(
      'Resource.AlreadyAssociated',
      `resource ${gateway.id} is already attached to network ${gateway.vpcId}`,
    );
  if (readRouting(ec2.network).internetGateways.some((each) => each.vpcId === vpcId))
    throw invalidValue(`Network ${vpcId} already has an internet gateway attached`);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  changeRouting(ec2, ({ internetGateways }) => ({
    internetGateways: putById(internetGateways, { ...gateway, vpcId }),
  }));
  return {};
}

/** A gateway stays while public addresses of its VPC are in use. */
export function detachInternetGateway(ec2: Ec2, request: DetachInternetGatewayRequest): object {
  const gateway = getGateway(ec2, request.InternetGatewayId);
  const { id: vpcId } = getVpc(ec2, request.VpcId);
  if (gateway.vpcId !== vpcId)
    throw new AwsError('Gateway.NotAttached', `resource ${gateway.id} is not attached to network ${vpcId}`);
  if (hasPublicAddresses(ec2, vpcId))
    throw new AwsError(
      'DependencyViolation',
      `Network ${vpcId} has some mapped public address(es). Please unmap those public address(es) before detaching the gateway.`,
    );
  if (request.DryRun === true) throw dryRunWouldSucceed();
  changeRouting(ec2, ({ internetGateways }) => ({
    internetGateways: putById(internetGateways, { id: gateway.id }),
  }));
  return {};
}

function hasPublicAddresses({ network, instances, clock }: Ec2, vpcId: string): boolean {
  const now = clock.now();
  const isRunning = (state: string): boolean => state === 'pending' || state === 'running';
  return (
    readRouting(network).natGateways.some(
      (nat) => nat.vpcId === vpcId && nat.allocationId !== undefined && isInUse(stateOfNatGateway(nat, now)),
    ) ||
    instances
      .all()
      .some(
        ({ settings, state }) =>
          settings.hasPublicAddress === true && isRunning(state) && vpcIdOfSubnet(network, settings.subnetId) === vpcId,
      )
  );
}

const isInUse = (state: string): boolean => state === 'pending' || state === 'available' || state === 'deleting';

export function deleteInternetGateway(ec2: Ec2, request: DeleteInternetGatewayRequest): object {
  const { id, vpcId } = getGateway(ec2, request.InternetGatewayId);
  if (vpcId !== undefined) throw dependencyViolation('internetGateway', id);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  ec2.tags.forget(id);
  changeRouting(ec2, ({ internetGateways }) => ({
    internetGateways: internetGateways.filter((each) => each.id !== id),
  }));
  return {};
}

type GatewayPage = { readonly MaxResults?: number | undefined; readonly NextToken?: string | undefined };

const pageOf = (request: GatewayPage) => ({ size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });

export function describeInternetGateways(
  ec2: Ec2,
  request: DescribeInternetGatewaysRequest,
): DescribeInternetGatewaysResult {
  const { InternetGatewayIds: ids = [] } = request;
  const all = readRouting(ec2.network).internetGateways;
  const missing = ids.find((id) => !all.some((gateway) => gateway.id === id));
  if (missing !== undefined) throw noSuchInternetGateway(missing);
  const asked = all.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const found = applyFilters(asked, request.Filters, {
    records: { write: (gateway) => writeGateway(ec2, gateway), paths: gatewayPaths },
    attributes: {},
    tags: ({ id }) => ec2.tags.of(id),
  });
  const { items, next } = takePage(found, pageOf(request));
  return { InternetGateways: items.map((each) => writeGateway(ec2, each)), ...(next && { NextToken: next }) };
}

const writeEgressGateway = (ec2: Ec2, { id, vpcId }: KeptInternetGateway): EgressOnlyInternetGateway => ({
  EgressOnlyInternetGatewayId: id,
  Attachments: vpcId === undefined ? [] : [{ State: 'attached', VpcId: vpcId }],
  Tags: writeEc2Tags(ec2.tags.of(id)),
});

export function createEgressGateway(
  ec2: Ec2,
  request: CreateEgressOnlyInternetGatewayRequest,
): CreateEgressOnlyInternetGatewayResult {
  const { ClientToken: token, TagSpecifications: tags } = request;
  const { id: vpcId } = getVpc(ec2, request.VpcId);
  checkTagSpecifications(tags, ['egress-only-internet-gateway']);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  return ec2.idempotency.once({ operation: 'CreateEgressOnlyInternetGateway', token, request }, () => {
    const gateway = { id: `eigw-0${ec2.random.hex(16)}`, vpcId };
    ec2.tags.add(gateway.id, readTagSpecifications('egress-only-internet-gateway', tags));
    changeRouting(ec2, ({ egressGateways }) => ({ egressGateways: putById(egressGateways, gateway) }));
    return { EgressOnlyInternetGateway: writeEgressGateway(ec2, gateway) };
  });
}

export function describeEgressGateways(
  ec2: Ec2,
  request: DescribeEgressOnlyInternetGatewaysRequest,
): DescribeEgressOnlyInternetGatewaysResult {
  const { EgressOnlyInternetGatewayIds: ids = [] } = request;
  const asked = readRouting(ec2.network).egressGateways.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const found = applyFilters(asked, request.Filters, { attributes: {}, tags: ({ id }) => ec2.tags.of(id) });
  const { items, next } = takePage(found, pageOf(request));
  return {
    EgressOnlyInternetGateways: items.map((each) => writeEgressGateway(ec2, each)),
    ...(next && { NextToken: next }),
  };
}

export function deleteEgressGateway(
  ec2: Ec2,
  { EgressOnlyInternetGatewayId: id = '', DryRun }: DeleteEgressOnlyInternetGatewayRequest,
): DeleteEgressOnlyInternetGatewayResult {
  if (!readRouting(ec2.network).egressGateways.some((each) => each.id === id)) throw noSuchEgressGateway(id);
  if (DryRun === true) throw dryRunWouldSucceed();
  ec2.tags.forget(id);
  changeRouting(ec2, ({ egressGateways }) => ({ egressGateways: egressGateways.filter((each) => each.id !== id) }));
  return { ReturnCode: true };
}

import type {
  DescribeVpcEndpointServicesRequest,
  DescribeVpcEndpointServicesResult,
  DescribeVpcEndpointsRequest,
  DescribeVpcEndpointsResult,
  ServiceDetail,
  VpcEndpoint,
} from '@aws-sdk/client-ec2';
import { partitionOfRegion } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { createNotFoundError } from './change-routing.ts';
import { derivedId } from './derived-ids.ts';
import { ec2BadToken } from './errors.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';
import type { KeptVpcEndpoint } from './routing.ts';
import { writeEc2Tags } from './tags.ts';
import { type EndpointService, listEndpoints, listEndpointServices, stateOfEndpoint } from './vpc-endpoints.ts';

const endpointPaths = parseRecordPaths(`
  ip-address-type IpAddressType
  service-name ServiceName
  service-region ServiceRegion
  vpc-endpoint-id VpcEndpointId
  vpc-endpoint-state State
  vpc-endpoint-type VpcEndpointType
  vpc-id VpcId
`);

export const noSuchEndpoint = (id: string): AwsError =>
  createNotFoundError('InvalidVpcEndpointId.NotFound', 'Vpc Endpoint Id', id);

export function describeVpcEndpoints(ec2: Ec2, request: DescribeVpcEndpointsRequest): DescribeVpcEndpointsResult {
  const { VpcEndpointIds: ids = [] } = request;
  const all = listEndpoints(ec2.network, ec2.clock.now());
  const missing = ids.find((id) => !all.some((endpoint) => endpoint.id === id));
  if (missing !== undefined) throw noSuchEndpoint(missing);
  const asked = all.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const found = applyFilters(asked, request.Filters, {
    records: { write: (endpoint) => writeVpcEndpoint(ec2, endpoint), paths: endpointPaths },
    attributes: {},
    tags: ({ id }) => ec2.tags.of(id),
  });
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { VpcEndpoints: items.map((each) => writeVpcEndpoint(ec2, each)), ...(next && { NextToken: next }) };
}

export function writeVpcEndpoint(ec2: Ec2, endpoint: KeptVpcEndpoint): VpcEndpoint {
  const { id, vpcId, serviceName, type, subnetIds, routeTableIds, hasPrivateDns, policy, createdAt } = endpoint;
  return {
    VpcEndpointId: id,
    VpcEndpointType: type,
    VpcId: vpcId,
    ServiceName: serviceName,
    ServiceRegion: ec2.account.region,
    State: (stateOfEndpoint(endpoint, ec2.clock.now()) ?? 'deleted') as NonNullable<VpcEndpoint['State']>,
    PolicyDocument: policy,
    RouteTableIds: [...routeTableIds],
    SubnetIds: [...subnetIds],
    Groups: endpoint.securityGroupIds.map((GroupId) => ({
      GroupId,
      GroupName: ec2.network.securityGroups.find((group) => group.id === GroupId)?.name ?? '',
    })),
    ...(type === 'Interface' && { IpAddressType: 'ipv4' as const }),
    DnsOptions: { DnsRecordIpType: type === 'Interface' ? 'ipv4' : 'service-defined' },
    PrivateDnsEnabled: hasPrivateDns,
    RequesterManaged: false,
    NetworkInterfaceIds: subnetIds.map((subnetId) => derivedId('eni', id, subnetId)),
    DnsEntries: type === 'Interface' ? listDnsEntries(ec2, endpoint) : [],
    CreationTimestamp: new Date(createdAt),
    OwnerId: ec2.account.id,
    Tags: writeEc2Tags(ec2.tags.of(id)),
  };
}

/** The hosted zone of the names of endpoints. */
const endpointZone = 'Z7HUB22UULQXV';

function listDnsEntries({ account: { region }, network }: Ec2, { id, serviceName, subnetIds }: KeptVpcEndpoint) {
  const short = serviceName.split('.').slice(3).toReversed().join('.');
  const label = `${id}-${derivedId('x', id).slice(-8)}`;
  const domain = `${short}.${region}.vpce.${partitionOfRegion(region).dnsSuffix}`;
  const zones = subnetIds.flatMap((subnetId) => network.subnets.find((each) => each.id === subnetId)?.zone ?? []);
  return [label, ...zones.map((zone) => `${label}-${zone}`)].map((name) => ({
    DnsName: `${name}.${domain}`,
    HostedZoneId: endpointZone,
  }));
}

const servicePaths = parseRecordPaths(`
  owner Owner
  service-name ServiceName
  service-region ServiceRegion
  service-type ServiceType.ServiceType
  supported-ip-address-types SupportedIpAddressTypes
`);

/** Lists the services of AWS that an endpoint can be made for. */
export function describeVpcEndpointServices(
  ec2: Ec2,
  request: DescribeVpcEndpointServicesRequest,
): DescribeVpcEndpointServicesResult {
  const { ServiceNames: names = [] } = request;
  const all = listEndpointServices(ec2.account.region);
  const unknown = names.find((name) => !all.some((service) => service.name === name));
  if (unknown !== undefined)
    throw new AwsError('InvalidServiceName', `The Vpc Endpoint Service '${unknown}' does not exist`);
  const asked = all.filter(({ name }) => names.length === 0 || names.includes(name));
  const found = applyFilters(asked, request.Filters, {
    records: { write: (service) => writeService(ec2, service), paths: servicePaths },
    attributes: {},
    tags: () => ({}),
  });
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return {
    ServiceNames: items.map(({ name }) => name),
    ServiceDetails: items.map((service) => writeService(ec2, service)),
    ...(next && { NextToken: next }),
  };
}

function writeService({ network, account: { region } }: Ec2, { name, short, types }: EndpointService): ServiceDetail {
  const { dnsSuffix } = partitionOfRegion(region);
  const host = `${short.split('.').toReversed().join('.')}.${region}`;
  return {
    ServiceName: name,
    ServiceId: derivedId('vpce-svc', name),
    ServiceType: types.map((ServiceType) => ({ ServiceType })),
    ServiceRegion: region,
    AvailabilityZones: network.zones.map((zone) => zone.name),
    Owner: 'amazon',
    BaseEndpointDnsNames: [`${host}.vpce.${dnsSuffix}`],
    ...(types.includes('Interface') && {
      PrivateDnsName: `${host}.${dnsSuffix}`,
      PrivateDnsNameVerificationState: 'verified' as const,
    }),
    VpcEndpointPolicySupported: true,
    AcceptanceRequired: false,
    ManagesVpcEndpoints: false,
    Tags: [],
    SupportedIpAddressTypes: ['ipv4'],
  };
}

import { AwsError } from '../codec/aws-error.ts';
import {
  noSuchAllocation,
  noSuchEgressGateway,
  noSuchInternetGateway,
  noSuchNatGateway,
  noSuchRouteTable,
} from './change-routing.ts';
import { noSuchFleet } from './describe-fleets.ts';
import { noSuchPrefixList } from './describe-prefix-lists.ts';
import {
  noSuchGroupRule,
  noSuchImage,
  noSuchInstances,
  noSuchNetworkInterface,
  noSuchPlacementGroup,
  noSuchReservation,
  noSuchSecurityGroup,
  noSuchSubnet,
  noSuchTemplateId,
  noSuchVpc,
} from './errors.ts';
import { noSuchVolume } from './describe-volumes.ts';
import { listFleetInstances } from './fleet-instances.ts';
import { findImageOfSnapshot } from './known-snapshots.ts';
import { listInterfaceIds } from './launched-interfaces.ts';
import type { Ec2 } from './model.ts';
import { noSuchSpotRequest } from './describe-spot-requests.ts';
import { noSuchNetworkAcl } from './network-acl-operations.ts';
import { listNetworkAcls } from './network-acls.ts';
import { noSuchSnapshot } from './own-snapshots.ts';
import { readRouting } from './read-routing.ts';
import { listGroupRules, ruleIdOf } from './security-group-rules.ts';
import { noSuchEndpoint } from './describe-vpc-endpoints.ts';
import { listEndpoints } from './vpc-endpoints.ts';
import { findVpc } from './vpcs.ts';
import { volumesOf } from './volumes-of.ts';

type TaggableKind = {
  /** As DescribeTags names the type. */
  readonly type: string;
  readonly exists: (ec2: Ec2, id: string) => boolean;
  readonly missing: (id: string) => AwsError;
};

/** The kinds of resources that take tags, by the prefix of their ids. */
const taggableKinds: ReadonlyMap<string, TaggableKind> = new Map([
  [
    'acl',
    {
      type: 'network-acl',
      exists: ({ network }, id) => listNetworkAcls(network).some((each) => each.id === id),
      missing: noSuchNetworkAcl,
    },
  ],
  [
    'ami',
    {
      type: 'image',
      exists: ({ images, clock }, id) => images.withIds([id], clock.now()).length > 0,
      missing: (id) => noSuchImage(id),
    },
  ],
  [
    'cr',
    {
      type: 'capacity-reservation',
      exists: ({ reservations }, id) => reservations.all().some((each) => each.id === id),
      missing: noSuchReservation,
    },
  ],
  [
    'eigw',
    {
      type: 'egress-only-internet-gateway',
      exists: ({ network }, id) => readRouting(network).egressGateways.some((each) => each.id === id),
      missing: noSuchEgressGateway,
    },
  ],
  [
    'eipalloc',
    {
      type: 'elastic-ip',
      exists: ({ network }, id) => readRouting(network).addresses.some((each) => each.id === id),
      missing: noSuchAllocation,
    },
  ],
  [
    'eni',
    {
      type: 'network-interface',
      exists: ({ instances, interfaces }, id) =>
        interfaces.find(id) !== undefined ||
        instances.all().some((instance) => listInterfaceIds(instance).includes(id)),
      missing: noSuchNetworkInterface,
    },
  ],
  // An instant fleet is not remembered: its instances carry its id.
  [
    'fleet',
    {
      type: 'fleet',
      exists: (ec2, id) => listFleetInstances(ec2, id).length > 0,
      missing: noSuchFleet,
    },
  ],
  [
    'i',
    {
      type: 'instance',
      exists: ({ instances }, id) => instances.get(id) !== undefined,
      missing: (id) => noSuchInstances([id]),
    },
  ],
  [
    'igw',
    {
      type: 'internet-gateway',
      exists: ({ network }, id) => readRouting(network).internetGateways.some((each) => each.id === id),
      missing: noSuchInternetGateway,
    },
  ],
  [
    'key',
    {
      type: 'key-pair',
      exists: ({ keyPairs }, id) => keyPairs.all().some((pair) => pair.id === id),
      missing: (id) => new AwsError('InvalidKeyPair.NotFound', `The key pair '${id}' does not exist`),
    },
  ],
  [
    'lt',
    {
      type: 'launch-template',
      exists: ({ templates }, id) => templates.all().some((each) => each.id === id),
      missing: noSuchTemplateId,
    },
  ],
  [
    'nat',
    {
      type: 'natgateway',
      exists: ({ network }, id) => readRouting(network).natGateways.some((each) => each.id === id),
      missing: noSuchNatGateway,
    },
  ],
  [
    'pg',
    {
      type: 'placement-group',
      exists: ({ placementGroups }, id) => placementGroups.all().some((each) => each.id === id),
      missing: noSuchPlacementGroup,
    },
  ],
  ['pl', { type: 'prefix-list', exists: ({ prefixLists }, id) => prefixLists.has(id), missing: noSuchPrefixList }],
  [
    'rtb',
    {
      type: 'route-table',
      exists: ({ network }, id) => readRouting(network).tables.some((each) => each.id === id),
      missing: noSuchRouteTable,
    },
  ],
  [
    'sg',
    {
      type: 'security-group',
      exists: ({ network }, id) => network.securityGroups.some((each) => each.id === id),
      missing: noSuchSecurityGroup,
    },
  ],
  [
    'sgr',
    {
      type: 'security-group-rule',
      exists: ({ network }, id) =>
        network.securityGroups.some((group) => listGroupRules(group).some((rule) => ruleIdOf(group.id, rule) === id)),
      missing: noSuchGroupRule,
    },
  ],
  [
    'sir',
    {
      type: 'spot-instances-request',
      exists: ({ instances }, id) => instances.all().some(({ spotRequestId }) => spotRequestId === id),
      missing: noSuchSpotRequest,
    },
  ],
  [
    'snap',
    {
      type: 'snapshot',
      exists: ({ images, snapshots, clock }, id) =>
        snapshots.find(id) !== undefined || findImageOfSnapshot(images, id, clock.now()) !== undefined,
      missing: noSuchSnapshot,
    },
  ],
  [
    'subnet',
    {
      type: 'subnet',
      exists: ({ network }, id) => network.subnets.some((each) => each.id === id),
      missing: noSuchSubnet,
    },
  ],
  [
    'vol',
    {
      type: 'volume',
      exists: ({ instances, volumes }, id) =>
        volumes.find(id) !== undefined ||
        instances.all().some((instance) => volumesOf(instance).some(({ volumeId }) => volumeId === id)),
      missing: noSuchVolume,
    },
  ],
  [
    'vpce',
    {
      type: 'vpc-endpoint',
      exists: ({ network, clock }, id) => listEndpoints(network, clock.now()).some((each) => each.id === id),
      missing: noSuchEndpoint,
    },
  ],
  ['vpc', { type: 'vpc', exists: ({ network }, id) => findVpc(network, id) !== undefined, missing: noSuchVpc }],
] satisfies (readonly [string, TaggableKind])[]);

const kindOfId = (id: string): TaggableKind | undefined => taggableKinds.get(id.split('-', 1).join(''));

/** Returns the type of the resource with this id, as DescribeTags names it. */
export const resourceTypeOfId = (id: string): string => kindOfId(id)?.type ?? 'unknown';

/** Checks that every resource exists. Unknown instances are named all at once. @throws AwsError */
export function checkTaggableResources(ec2: Ec2, ids: readonly string[]): void {
  const instances = ids.filter((id) => id.startsWith('i-') && ec2.instances.get(id) === undefined);
  if (instances.length > 0) throw noSuchInstances(instances);
  for (const id of ids) {
    const kind = kindOfId(id);
    if (kind === undefined) throw new AwsError('InvalidID', `The ID '${id}' is not valid`);
    if (!kind.exists(ec2, id)) throw kind.missing(id);
  }
}

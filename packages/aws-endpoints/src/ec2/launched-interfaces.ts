import { byNumberOf, inOrder } from '@nodewright/apis';
import type { LaunchTemplateInstanceNetworkInterfaceSpecificationRequest } from '@aws-sdk/client-ec2';
import type { CatalogueType } from '../catalogue/instance-type.ts';
import { readConnectionTracking } from './connection-tracking.ts';
import { derivedId } from './derived-ids.ts';
import { invalidCombination, invalidValue } from './errors.ts';
import type { Ec2Instance, LaunchedInterface, LaunchSettings } from './instance.ts';
import type { Ec2Subnet } from './network.ts';

type WantedInterface = LaunchTemplateInstanceNetworkInterfaceSpecificationRequest;

const primary: LaunchedInterface = { card: 0, device: 0, type: 'interface', ipv6Addresses: 0 };

export const interfacesOfInstance = ({ interfaces }: LaunchSettings): readonly LaunchedInterface[] =>
  interfaces ?? [primary];

/** Lists the ids of the interfaces of an instance, the primary one first. */
export const listInterfaceIds = ({ networkInterfaceId, settings }: Ec2Instance): readonly string[] =>
  interfacesOfInstance(settings).map((_, at) =>
    at === 0 ? networkInterfaceId : derivedId('eni', networkInterfaceId, at),
  );

/**
 * The network interfaces of a launch: one, unless the request says otherwise.
 * @throws AwsError when the instance type does not have so many, or not of this kind
 */
export function listLaunchedInterfaces(
  wanted: readonly WantedInterface[] | undefined,
  type: CatalogueType,
): readonly LaunchedInterface[] {
  if (wanted === undefined || wanted.length === 0) return [primary];
  const interfaces = wanted.map(readInterface);
  checkPublicAddress(wanted);
  checkPlaces(interfaces, type);
  checkAdapters(interfaces, type);
  return interfaces.toSorted(
    inOrder(
      byNumberOf(({ card }) => card),
      byNumberOf(({ device }) => device),
    ),
  );
}

/** The primary interface gets an address of IPv6 in a subnet that assigns them, unless it asked for some. */
export const assignIpv6 = (
  interfaces: readonly LaunchedInterface[],
  { ipv6, changed }: Pick<Ec2Subnet, 'ipv6' | 'changed'>,
): readonly LaunchedInterface[] =>
  ipv6 === undefined || changed?.assignsIpv6 !== true
    ? interfaces
    : interfaces.map((each, index) =>
        index === 0 ? { ...each, ipv6Addresses: Math.max(1, each.ipv6Addresses) } : each,
      );

function readInterface(wanted: WantedInterface): LaunchedInterface {
  const type = wanted.InterfaceType ?? 'interface';
  if (type !== 'interface' && type !== 'efa' && type !== 'efa-only')
    throw invalidValue(`Invalid value '${type}' for InterfaceType. Valid values are: interface, efa, efa-only.`);
  const ipv6Addresses = wanted.Ipv6AddressCount ?? wanted.Ipv6Addresses?.length ?? 0;
  return {
    card: wanted.NetworkCardIndex ?? 0,
    device: wanted.DeviceIndex ?? 0,
    type,
    ipv6Addresses,
    ...(wanted.Description !== undefined && { description: wanted.Description }),
    ...(wanted.DeleteOnTermination === false && { staysAfterEnd: true }),
    ...readConnectionTracking(wanted.ConnectionTrackingSpecification),
  };
}

function checkPublicAddress(wanted: readonly WantedInterface[]): void {
  if (wanted.length < 2 || !wanted.some(({ AssociatePublicIpAddress }) => AssociatePublicIpAddress === true)) return;
  throw invalidCombination(
    'The associatePublicIPAddress parameter cannot be specified when launching with multiple network interfaces.',
  );
}

function checkPlaces(
  interfaces: readonly LaunchedInterface[],
  { name, interfaces: perCard, fabric }: CatalogueType,
): void {
  const cards = fabric?.cards ?? 1;
  const places = interfaces.map(({ card, device }) => `${card}:${device}`);
  if (new Set(places).size < places.length)
    throw invalidCombination('Each network interface requires a unique device index on its network card.');
  if (!places.includes('0:0'))
    throw invalidCombination('A network interface with device index 0 on network card 0 is required.');
  const beyond = interfaces.find(({ card }) => card >= cards);
  if (beyond !== undefined)
    throw invalidValue(
      `Network card index ${beyond.card} exceeds the ${cards} network cards of instance type ${name}.`,
    );
  if (interfaces.some(({ card }) => interfaces.filter((each) => each.card === card).length > perCard))
    throw invalidValue(`Interface count exceeds the limit of ${perCard} for a network card of instance type ${name}.`);
}

function checkAdapters(interfaces: readonly LaunchedInterface[], { name, fabric }: CatalogueType): void {
  const adapters = interfaces.filter(({ type }) => type !== 'interface');
  if (adapters.length <= (fabric?.adapters ?? 0)) return;
  throw invalidCombination(
    fabric === undefined
      ? `Elastic Fabric Adapter is not supported by instance type ${name}.`
      : `EFA interface count ${adapters.length} exceeds the limit of ${fabric.adapters} for instance type ${name}.`,
  );
}

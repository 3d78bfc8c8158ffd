import type { LaunchTemplateInstanceNetworkInterfaceSpecificationRequest } from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '@nodewright/apis';

type NetworkInterface = LaunchTemplateInstanceNetworkInterfaceSpecificationRequest;

type NetworkInput = {
  readonly nodeClass: EC2NodeClass;
  /** How many elastic fabric adapters the claim gets, when it asked for any. `spec.networkInterfaces` goes first. */
  readonly fabricAdapters: number;
  readonly ipFamily: 'ipv4' | 'ipv6';
};

/**
 * The interfaces of an instance: those that `spec.networkInterfaces` names; else one with EFA on each network card where the
 * claim asks for EFA; else one.
 */
export function networkInterfaces({ nodeClass, fabricAdapters, ipFamily }: NetworkInput): NetworkInterface[] {
  const { spec, status } = nodeClass;
  const addresses = addressSettings(spec, ipFamily);
  const Groups = (status?.securityGroups ?? []).map(({ id }) => id);
  const configured = spec.networkInterfaces ?? [];
  if (configured.length > 0)
    return configured.map(({ deviceIndex, networkCardIndex, interfaceType }) => ({
      DeviceIndex: deviceIndex,
      NetworkCardIndex: networkCardIndex,
      InterfaceType: interfaceType,
      Groups,
      ...(interfaceType === 'efa-only' ? {} : addresses),
    }));
  if (fabricAdapters === 0) return [{ DeviceIndex: 0, Groups, ...addresses }];
  return Array.from({ length: fabricAdapters }, (_, card) => ({
    NetworkCardIndex: card,
    // Device 0 of the other cards stays free, as in Karpenter.
    DeviceIndex: card === 0 ? 0 : 1,
    InterfaceType: 'efa',
    Groups,
    ...addresses,
  }));
}

/** In an IPv6 cluster the node has an IPv6 address that stays, and pods get theirs from IPv6 prefixes. */
function addressSettings(spec: EC2NodeClass['spec'], ipFamily: NetworkInput['ipFamily']): NetworkInterface {
  const { associatePublicIPAddress, ipPrefixCount, connectionTracking } = spec;
  const isIpv6 = ipFamily === 'ipv6';
  const prefixes = isIpv6 ? 'Ipv6PrefixCount' : 'Ipv4PrefixCount';
  return {
    ...(associatePublicIPAddress === undefined ? {} : { AssociatePublicIpAddress: associatePublicIPAddress }),
    ...(isIpv6 ? { Ipv6AddressCount: 1, PrimaryIpv6: true } : {}),
    ...(ipPrefixCount === undefined ? {} : { [prefixes]: ipPrefixCount }),
    ...(connectionTracking === undefined ? {} : { ConnectionTrackingSpecification: tracking(connectionTracking) }),
  };
}

function tracking(wanted: NonNullable<EC2NodeClass['spec']['connectionTracking']>) {
  const { tcpEstablishedTimeout, udpStreamTimeout, udpTimeout } = wanted;
  return {
    ...(tcpEstablishedTimeout === undefined ? {} : { TcpEstablishedTimeout: tcpEstablishedTimeout }),
    ...(udpStreamTimeout === undefined ? {} : { UdpStreamTimeout: udpStreamTimeout }),
    ...(udpTimeout === undefined ? {} : { UdpTimeout: udpTimeout }),
  };
}

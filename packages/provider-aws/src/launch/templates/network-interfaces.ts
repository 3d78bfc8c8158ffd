import type { LaunchTemplateInstanceNetworkInterfaceSpecificationRequest } from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '@nodewright/apis';

type NetworkInterface = LaunchTemplateInstanceNetworkInterfaceSpecificationRequest;

type NetworkInput = {
  readonly nodeClass: EC2NodeClass;
  /** How many elastic fabric adapters the claim gets, when it asked for any. `spec.networkInterfaces` goes first. */
  readonly fabricAdapters: number;
};

/**
 * The interfaces of an instance: those that `spec.networkInterfaces` names; else one with EFA on each network card where the
 * claim asks for EFA; else one.
 */
export function networkInterfaces({ nodeClass: { spec, status }, fabricAdapters }: NetworkInput): NetworkInterface[] {
  const Groups = (status?.securityGroups ?? []).map(({ id }) => id);
  const configured = spec.networkInterfaces ?? [];
  if (configured.length > 0)
    return configured.map(({ deviceIndex, networkCardIndex, interfaceType }) => ({
      DeviceIndex: deviceIndex,
      NetworkCardIndex: networkCardIndex,
      InterfaceType: interfaceType,
      Groups,
      ...(interfaceType === 'efa-only' ? {} : addressSettings(spec)),
    }));
  if (fabricAdapters === 0) return [{ DeviceIndex: 0, Groups, ...addressSettings(spec) }];
  return Array.from({ length: fabricAdapters }, (_, card) => ({
    NetworkCardIndex: card,
    // Device 0 of the other cards stays free, as in Karpenter.
    DeviceIndex: card === 0 ? 0 : 1,
    InterfaceType: 'efa',
    Groups,
    ...addressSettings(spec),
  }));
}

function addressSettings(spec: EC2NodeClass['spec']): NetworkInterface {
  const { associatePublicIPAddress, ipPrefixCount, connectionTracking } = spec;
  return {
    ...(associatePublicIPAddress === undefined ? {} : { AssociatePublicIpAddress: associatePublicIPAddress }),
    ...(ipPrefixCount === undefined ? {} : { Ipv4PrefixCount: ipPrefixCount }),
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

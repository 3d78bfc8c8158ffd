import { byTextOf, type Pod } from '@nodewright/apis';
import { isEndedPod, isReadyWorkloadPod } from '../objects/pod-health.ts';
import type { EndpointPort, EndpointSubset, SelectingService, ServicePort, SliceEndpoint } from './kinds.ts';

/** What a service and its pods come to. */
export type ServiceBackends = {
  readonly subsets: readonly EndpointSubset[];
  /** Groups of endpoints with equal ports. */
  readonly groups: readonly { readonly ports: readonly EndpointPort[]; readonly endpoints: readonly SliceEndpoint[] }[];
};

type Backend = { readonly ports: readonly EndpointPort[]; readonly endpoint: SliceEndpoint };

/**
 * The endpoints of a service: the pods with an address. Pods that end are told in slices only.
 * @param zoneOf the zone of a node
 */
export function backendsOf(
  service: SelectingService,
  pods: readonly Pod[],
  zoneOf: (nodeName: string) => string | undefined,
): ServiceBackends {
  const backends = pods
    .filter((pod) => pod.status?.podIP !== undefined && !isEndedPod(pod))
    .toSorted(byTextOf(({ metadata }) => metadata.name))
    .map((pod) => backendOf(service, pod, zoneOf));
  const groups = groupByPorts(backends);
  return {
    groups,
    subsets: groups
      .map(subsetOf)
      .filter(({ addresses, notReadyAddresses }) => (addresses ?? notReadyAddresses) !== undefined),
  };
}

function backendOf(service: SelectingService, pod: Pod, zoneOf: (nodeName: string) => string | undefined): Backend {
  const { metadata, spec, status } = pod;
  const terminating = metadata.deletionTimestamp !== undefined;
  const serving = isReadyWorkloadPod(pod);
  const { nodeName } = spec;
  const zone = nodeName === undefined ? undefined : zoneOf(nodeName);
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  return {
    ports: (service.spec?.ports ?? []).flatMap((port) => endpointPort(port, pod)),
    endpoint: {
      addresses: [status?.podIP ?? ''],
      conditions: { ready, serving, terminating },
      ...(nodeName !== undefined && { nodeName }),
      ...(zone !== undefined && { zone }),
      targetRef: {
        kind: 'Pod',
        namespace: metadata.namespace ?? '',
        name: metadata.name,
        uid: metadata.uid ?? '',
      },
    },
  };
}

/** A named target port is that of the pod's container. A pod without it has no such port. */
function endpointPort(
  { name, port, protocol = 'TCP', targetPort = port }: ServicePort,
  { spec }: Pod,
): readonly EndpointPort[] {
  const named = spec.containers
    .flatMap(({ ports = [] }) => ports)
    .find((each) => each.name === targetPort && (each.protocol ?? 'TCP') === protocol)?.containerPort;
  const found = typeof targetPort === 'number' ? targetPort : named;
  return found === undefined ? [] : [{ ...(name !== undefined && { name }), port: found, protocol }];
}

function groupByPorts(backends: readonly Backend[]): ServiceBackends['groups'] {
  const groups = new Map<string, Backend[]>();
  for (const backend of backends) {
    const key = JSON.stringify(backend.ports);
    groups.set(key, [...(groups.get(key) ?? []), backend]);
  }
  return [...groups.values()].map((group) => ({
    ports: group[0]?.ports ?? [],
    endpoints: group.map(({ endpoint }) => endpoint),
  }));
}

function subsetOf({ ports, endpoints }: ServiceBackends['groups'][number]): EndpointSubset {
  const staying = endpoints.filter(({ conditions }) => !conditions.terminating);
  const addressesOf = (ready: boolean) =>
    staying
      .filter(({ conditions }) => conditions.ready === ready)
      .map(({ addresses, nodeName, targetRef }) => ({
        ip: addresses[0] ?? '',
        ...(nodeName !== undefined && { nodeName }),
        ...(targetRef && { targetRef }),
      }));
  const [addresses, notReadyAddresses] = [addressesOf(true), addressesOf(false)];
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports }),
  };
}

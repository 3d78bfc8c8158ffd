import type { JsonObject } from '../schema/json.ts';
import { fillIn, changeMember, changeEachItem } from './fill.ts';

/** Defaults of a service, without its cluster address, which the server allocates. */
export function serviceDefaults(service: JsonObject): JsonObject {
  return changeMember(fillIn(service, { status: {} }), 'spec', (spec) => {
    const filled = fillIn(spec, { type: 'ClusterIP', sessionAffinity: 'None' });
    return changeEachItem(defaultsOfServiceType(filled), 'ports', (port) =>
      fillIn(port, { protocol: 'TCP', targetPort: port['port'] ?? 0 }),
    );
  });
}

function defaultsOfServiceType(spec: JsonObject): JsonObject {
  const { type } = spec;
  if (type === 'ExternalName') return spec;
  const inside = fillIn(spec, { internalTrafficPolicy: 'Cluster' });
  if (type === 'ClusterIP') return inside;
  const outside = fillIn(inside, { externalTrafficPolicy: 'Cluster' });
  return type === 'LoadBalancer' ? fillIn(outside, { allocateLoadBalancerNodePorts: true }) : outside;
}

/** Adds the allocated cluster address to a new service. Headless services (`clusterIP: None`) keep theirs. */
export function withClusterAddress(service: JsonObject, address: string): JsonObject {
  return changeMember(service, 'spec', (spec) => {
    if (spec['type'] === 'ExternalName') return spec;
    const clusterIP = spec['clusterIP'] ?? address;
    return fillIn(spec, {
      clusterIP,
      clusterIPs: [clusterIP],
      ipFamilies: [familyOfAddress(clusterIP)],
      ipFamilyPolicy: 'SingleStack',
    });
  });
}

const familyOfAddress = (address: unknown): string =>
  typeof address === 'string' && address.includes(':') ? 'IPv6' : 'IPv4';

import { isObject, type JsonObject, type JsonValue } from '../schema/json.ts';
import { fillIn, changeMember, changeEachItem } from './fill.ts';

/** Defaults of a service, without its cluster address, which the server allocates. */
export function serviceDefaults(service: JsonObject): JsonObject {
  return changeMember(fillIn(service, { status: {} }), 'spec', (spec) => {
    const filled = fillIn(spec, { type: 'ClusterIP', sessionAffinity: 'None' });
    return changeEachItem(defaultsOfServiceType(withAffinity(filled)), 'ports', (port) => ({
      ...port,
      protocol: port['protocol'] || 'TCP',
      targetPort: port['targetPort'] || (port['port'] ?? 0),
    }));
  });
}

/** The configuration of an affinity that there is not goes; one of an affinity has a time. */
function withAffinity({ sessionAffinityConfig, ...spec }: JsonObject): JsonObject {
  if (spec['sessionAffinity'] === 'None') return spec;
  const seconds = { clientIP: { timeoutSeconds: 10_800 } };
  if (spec['sessionAffinity'] === 'ClientIP')
    return { ...spec, sessionAffinityConfig: sessionAffinityConfig ?? seconds };
  return sessionAffinityConfig === undefined ? spec : { ...spec, sessionAffinityConfig };
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
    // The addresses of a service that selects no pods and has none itself are unknown.
    const isOfBoth =
      clusterIP === 'None' && !selectsSomething(spec['selector']) && spec['ipFamilyPolicy'] === undefined;
    return fillIn(spec, {
      clusterIP,
      clusterIPs: [clusterIP],
      ipFamilies: isOfBoth ? ['IPv4', 'IPv6'] : [familyOfAddress(clusterIP)],
      ipFamilyPolicy: isOfBoth ? 'RequireDualStack' : 'SingleStack',
    });
  });
}

const selectsSomething = (value: JsonValue | undefined): boolean => isObject(value) && Object.keys(value).length > 0;

const familyOfAddress = (address: unknown): string =>
  typeof address === 'string' && address.includes(':') ? 'IPv6' : 'IPv4';

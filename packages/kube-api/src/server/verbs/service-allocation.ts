import { withClusterAddress } from '../../builtin/service-defaults.ts';
import { asApiObject, asJson } from '../../resources/rules.ts';
import { type Cause, invalidCause } from '../../schema/cause.ts';
import { isEqualJson, memberOf } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import { invalidError } from '../../http/status-error.ts';
import type { ServerContext } from '../world.ts';

type AllocatedPort = {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly nodePort?: number;
};

type AllocatedService = ApiObject & {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly ports?: readonly AllocatedPort[];
    readonly allocateLoadBalancerNodePorts?: boolean;
  };
};

/** EKS's default range of services, 10.100.0.0/16. The cluster itself uses the first addresses. */
const addressPrefix = '10.100.';
const firstFreeAddress = 11;
const nodePorts = { least: 30_000, most: 32_767, firstFree: 30_086 } as const;

/**
 * Gives a Service its cluster address and its node ports. A Service of another type gives its node ports back.
 * @throws StatusError 422 for an address or a port that another Service has, or that no Service can have
 */
export function allocateService(world: ServerContext, service: ApiObject, before?: ApiObject): ApiObject {
  const others = otherServices(world, service);
  const wanted = withKeptPorts(withoutFieldsOfType(service, before), before);
  const causes = [...clusterAddressCauses(wanted, others), ...portCauses(wanted, others)];
  if (causes.length > 0) throw invalidError({ group: '', kind: 'Service' }, service.metadata.name, causes);
  return withNodePorts(asApiObject(withClusterAddress(asJson(wanted), freeAddress(others))), others);
}

const otherServices = ({ store }: ServerContext, { metadata }: ApiObject): readonly AllocatedService[] =>
  (store.collection('services').list() as readonly AllocatedService[]).filter(
    (other) => other.metadata.namespace !== metadata.namespace || other.metadata.name !== metadata.name,
  );

/** Fields that only some types of Services have. */
const fieldsOfTypes: readonly (readonly [field: string, types: readonly string[]])[] = [
  ...['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'].map(
    (field) => [field, ['ClusterIP', 'NodePort', 'LoadBalancer']] as const,
  ),
  ['externalTrafficPolicy', ['NodePort', 'LoadBalancer']],
  ['healthCheckNodePort', ['LoadBalancer']],
  ['allocateLoadBalancerNodePorts', ['LoadBalancer']],
  ['loadBalancerClass', ['LoadBalancer']],
];

/** One who changes the type alone does not mean the fields that only the old type had. */
function withoutFieldsOfType(service: AllocatedService, before: AllocatedService | undefined): AllocatedService {
  const { spec } = service;
  if (spec === undefined || before?.spec?.type === spec.type) return service;
  const left = fieldsOfTypes
    .filter(([field, types]) => !types.includes(spec.type ?? '') && isKeptField(field, { service, before }))
    .map(([field]) => field);
  if (left.length === 0) return service;
  return { ...service, spec: Object.fromEntries(Object.entries(spec).filter(([field]) => !left.includes(field))) };
}

const isKeptField = (
  field: string,
  { service, before }: { readonly service: AllocatedService; readonly before: AllocatedService | undefined },
): boolean =>
  isEqualJson(
    memberOf(asJson(service)['spec'], field),
    before === undefined ? undefined : memberOf(asJson(before)['spec'], field),
  );

/** A writer who leaves the node ports out does not mean others. One who changes the type does not mean them any more. */
function withKeptPorts(service: AllocatedService, before: AllocatedService | undefined): AllocatedService {
  const { spec } = service;
  if (before === undefined || spec?.ports === undefined) return service;
  const known = before.spec?.ports ?? [];
  const ports = spec.ports.map((port): AllocatedPort => {
    const same = known.find((each) => each.port === port.port && protocolOf(each) === protocolOf(port));
    if (hasNodePorts(service))
      return port.nodePort === undefined && same?.nodePort ? { ...port, nodePort: same.nodePort } : port;
    const { nodePort, ...rest } = port;
    return nodePort !== undefined && nodePort === same?.nodePort ? rest : port;
  });
  return { ...service, spec: { ...spec, ports } };
}

const protocolOf = ({ protocol = 'TCP' }: AllocatedPort): string => protocol;

const hasNodePorts = ({ spec }: AllocatedService): boolean =>
  spec?.type === 'NodePort' || (spec?.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);

function clusterAddressCauses({ spec }: AllocatedService, others: readonly AllocatedService[]): Cause[] {
  const address = spec?.clusterIP ?? '';
  if (!/^\d+(\.\d+){3}$/.test(address) || spec?.type === 'ExternalName') return [];
  const refuse = (because: string): Cause[] => [
    invalidCause('spec.clusterIPs', [address], `failed to allocate IP ${address}: ${because}`),
  ];
  if (!address.startsWith(addressPrefix)) return refuse('the provided network does not match the current range');
  return others.some((other) => other.spec?.clusterIP === address) ? refuse('provided IP is already allocated') : [];
}

function portCauses(service: AllocatedService, others: readonly AllocatedService[]): Cause[] {
  if (!hasNodePorts(service)) return [];
  const taken = portsOf(others);
  return (service.spec?.ports ?? []).flatMap(({ nodePort = 0 }, index) => {
    if (nodePort === 0) return [];
    const refuse = (because: string): Cause => invalidCause(`spec.ports[${index}].nodePort`, nodePort, because);
    if (nodePort < nodePorts.least || nodePort > nodePorts.most) {
      const range = `${nodePorts.least}-${nodePorts.most}`;
      return [refuse(`provided port is not in the valid range. The range of valid ports is ${range}`)];
    }
    return taken.has(nodePort) ? [refuse('provided port is already allocated')] : [];
  });
}

const portsOf = (services: readonly AllocatedService[]): Set<number> =>
  new Set(services.flatMap(({ spec }) => (spec?.ports ?? []).flatMap(({ nodePort }) => nodePort ?? [])));

function withNodePorts(service: AllocatedService, others: readonly AllocatedService[]): ApiObject {
  const { spec } = service;
  if (!hasNodePorts(service) || spec?.ports === undefined) return service;
  const taken = portsOf([...others, service]);
  const ports = spec.ports.map((port) => {
    if ((port.nodePort ?? 0) !== 0) return port;
    let nodePort: number = nodePorts.firstFree;
    while (taken.has(nodePort)) nodePort += 1;
    taken.add(nodePort);
    return { ...port, nodePort };
  });
  return { ...service, spec: { ...spec, ports } };
}

function freeAddress(others: readonly AllocatedService[]): string {
  const taken = new Set(others.map(({ spec }) => spec?.clusterIP));
  for (let number = firstFreeAddress; ; number += 1) {
    const address = `${addressPrefix}${Math.floor(number / 256)}.${number % 256}`;
    if (!taken.has(address)) return address;
  }
}

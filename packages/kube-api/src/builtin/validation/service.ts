import { labelCauses } from '../../schema/metadata/check-metadata.ts';
import { validateDnsLabel, validateQualifiedName, validateSubdomain } from '../../schema/metadata/names.ts';
import { validatePortName } from '../../schema/metadata/port-names.ts';
import {
  type Cause,
  duplicateCause,
  forbiddenCause,
  invalidCause,
  notSupportedCause,
  requiredCause,
} from '../../schema/cause.ts';
import {
  isEqualJson,
  isObject,
  type JsonValue,
  type JsonObject,
  jsonTextAt,
  memberOf,
  valueAtPath,
} from '../../schema/json.ts';
import { isAddress, validateAddress, validateBlock } from './addresses.ts';
import {
  checkEachItem,
  checkEachText,
  forbidMembers,
  hasMembers,
  jsonObjectsIn,
  jsonTextsIn,
  validateChoice,
  validateNamed,
  validateNameIfPresent,
  validateRange,
} from './checks.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** The problems of a Service. */
export function serviceCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = withSameAddresses(memberOf(object, 'spec'), memberOf(old, 'spec'));
  const ports = jsonObjectsIn(memberOf(spec, 'ports'));
  const type = jsonTextAt(spec, 'type');
  const isHeadless = jsonTextAt(spec, 'clusterIP') === 'None';
  const needsPorts = !isHeadless && type !== 'ExternalName';
  // Addresses are given to a service before the rest of it is looked at.
  const addressed = addressedCauses(spec, type);
  if (addressed.length > 0) return addressed;
  return [
    ...(ports.length === 0 && needsPorts ? [requiredCause('spec.ports')] : []),
    ...serviceTypeCauses(spec, type, isHeadless),
    ...portListCauses(spec, ports),
    ...labelCauses(memberOf(spec, 'selector'), 'spec.selector'),
    ...sessionAffinityCauses(spec),
    ...choiceCauses(spec, type),
    ...checkEachText(memberOf(spec, 'externalIPs'), 'spec.externalIPs', (address, field) =>
      validateAddress(field, address),
    ),
    ...sourceRangeCauses(spec, type),
    ...balancerCauses(spec, type),
    ...healthPortCauses(spec, type, old),
    ...(old !== undefined && isObject(spec) ? addressChangeCauses(spec, old) : []),
  ];
}

/** A client that changes the one address and leaves the list as it was means the first of the list. */
function withSameAddresses(spec: JsonValue | undefined, before: JsonValue | undefined): JsonValue | undefined {
  const [address, list] = [jsonTextAt(spec, 'clusterIP'), memberOf(spec, 'clusterIPs')];
  const isChanged = isObject(before) && address !== '' && address !== jsonTextAt(before, 'clusterIP');
  return isChanged && isObject(spec) && isEqualJson(list, memberOf(before, 'clusterIPs'))
    ? { ...spec, clusterIPs: [address] }
    : spec;
}

const addressedCauses = (spec: JsonValue | undefined, type: string): Cause[] => {
  const related = [
    ...validateChoice('spec.ipFamilyPolicy', memberOf(spec, 'ipFamilyPolicy'), [
      'PreferDualStack',
      'RequireDualStack',
      'SingleStack',
    ]),
    ...familyCauses(memberOf(spec, 'ipFamilies')),
    ...serviceAddressCauses(spec, type),
    ...unreadableAddressCauses(spec),
  ];
  return related.length > 0 ? related : stackCauses(spec, type);
};

/** Of a service without a list of addresses, the one address is the first of the list. */
function unreadableAddressCauses(spec: JsonValue | undefined): Cause[] {
  const address = jsonTextAt(spec, 'clusterIP');
  const isListed = jsonTextsIn(memberOf(spec, 'clusterIPs')).length > 0;
  return address === '' || address === 'None' || isListed ? [] : validateAddress('spec.clusterIPs[0]', address);
}

function serviceTypeCauses(spec: JsonValue | undefined, type: string, isHeadless: boolean): Cause[] {
  switch (type) {
    case 'LoadBalancer':
    case 'NodePort':
      return isHeadless
        ? [invalidCause('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
        : [];
    case 'ExternalName':
      return externalNameCauses(spec);
    default:
      return types.includes(type) || type === '' ? [] : [notSupportedCause('spec.type', type, types)];
  }
}

function externalNameCauses(spec: JsonValue | undefined): Cause[] {
  const name = jsonTextAt(spec, 'externalName').replace(/\.$/, '');
  const notAddressed = ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']
    .filter((key) => jsonTextsIn(memberOf(spec, key)).length > 0 || jsonTextAt(spec, key) !== '')
    .map((key) => forbiddenCause(`spec.${key}`, 'may not be set for ExternalName services'));
  return [
    ...notAddressed,
    ...(name === ''
      ? [requiredCause('spec.externalName')]
      : validateNamed('spec.externalName', name, validateSubdomain)),
  ];
}

function portListCauses(spec: JsonValue | undefined, ports: readonly JsonObject[]): Cause[] {
  const names = new Set<string>();
  const numbers = new Set<string>();
  return [
    ...checkEachItem(spec, 'ports', 'spec', (port, field) => {
      const name = jsonTextAt(port, 'name');
      const isRepeated = names.has(name);
      names.add(name);
      return [
        ...portNameCauses(name, { field: `${field}.name`, isOnlyPort: ports.length === 1, isRepeated }),
        ...numberCauses(port['port'], `${field}.port`),
        ...(port['protocol'] === undefined
          ? [requiredCause(`${field}.protocol`)]
          : validateChoice(`${field}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP'])),
        ...targetPortCauses(port['targetPort'], `${field}.targetPort`),
        ...validateNameIfPresent(`${field}.appProtocol`, port['appProtocol'], validateQualifiedName),
        ...nodePortCauses(port['nodePort'], `${field}.nodePort`, jsonTextAt(spec, 'type')),
      ];
    }),
    ...checkEachItem(spec, 'ports', 'spec', (port, field) => {
      const text = `${jsonTextAt(port, 'protocol')}/${JSON.stringify(port['port'] ?? 0)}`;
      const isRepeated = numbers.has(text);
      numbers.add(text);
      return isRepeated ? [duplicateCause(field, { Protocol: port['protocol'] ?? '', Port: port['port'] ?? 0 })] : [];
    }),
  ];
}

type PortName = { readonly field: string; readonly isOnlyPort: boolean; readonly isRepeated: boolean };

function portNameCauses(name: string, { field, isOnlyPort, isRepeated }: PortName): Cause[] {
  if (name === '') return isOnlyPort ? [] : [requiredCause(field)];
  return [...validateNamed(field, name, validateDnsLabel), ...(isRepeated ? [duplicateCause(field, name)] : [])];
}

const numberCauses = (port: JsonValue | undefined, field: string): Cause[] =>
  typeof port === 'number' && port >= 1 && port <= 65_535
    ? []
    : [invalidCause(field, port ?? 0, 'must be between 1 and 65535, inclusive')];

const targetPortCauses = (target: JsonValue | undefined, field: string): Cause[] =>
  typeof target === 'string' ? validateNamed(field, target, validatePortName) : numberCauses(target, field);

const nodePorts = { least: 30_000, most: 32_767 };

function nodePortCauses(port: JsonValue | undefined, field: string, type: string): Cause[] {
  if (typeof port !== 'number' || port === 0) return [];
  if (type === 'ClusterIP') return [forbiddenCause(field, "may not be used when `type` is 'ClusterIP'")];
  return validateRange(field, port, nodePorts).length > 0
    ? [
        invalidCause(
          field,
          port,
          `provided port is not in the valid range. The range of valid ports is ${nodePorts.least}-${nodePorts.most}`,
        ),
      ]
    : [];
}

const mostAffinitySeconds = 86_400;

function sessionAffinityCauses(spec: JsonValue | undefined): Cause[] {
  const affinity = jsonTextAt(spec, 'sessionAffinity');
  const config = memberOf(spec, 'sessionAffinityConfig');
  const seconds = valueAtPath(config, 'clientIP', 'timeoutSeconds');
  // What is set for no affinity is dropped.
  if (affinity === 'None' || affinity === '') return [];
  return [
    ...(affinity === 'ClientIP' || affinity === 'None'
      ? []
      : [notSupportedCause('spec.sessionAffinity', affinity, ['ClientIP', 'None'])]),
    ...(typeof seconds === 'number' && (seconds <= 0 || seconds > mostAffinitySeconds)
      ? [
          invalidCause(
            'spec.sessionAffinityConfig.clientIP.timeoutSeconds',
            seconds,
            `must be greater than 0 and less than ${mostAffinitySeconds}`,
          ),
        ]
      : []),
  ];
}

function choiceCauses(spec: JsonValue | undefined, type: string): Cause[] {
  const outside = jsonTextAt(spec, 'externalTrafficPolicy');
  const isOutside =
    type === 'NodePort' || type === 'LoadBalancer' || jsonTextsIn(memberOf(spec, 'externalIPs')).length > 0;
  return [
    ...(outside === ''
      ? isOutside && type !== 'ClusterIP'
        ? [requiredCause('spec.externalTrafficPolicy')]
        : []
      : isOutside || !types.includes(type)
        ? validateChoice('spec.externalTrafficPolicy', outside, ['Cluster', 'Local'])
        : [invalidCause('spec.externalTrafficPolicy', outside, 'may only be set for externally-accessible services')]),
    ...validateChoice('spec.internalTrafficPolicy', memberOf(spec, 'internalTrafficPolicy'), ['Cluster', 'Local']),
  ];
}

function familyCauses(list: JsonValue | undefined): Cause[] {
  const families = jsonTextsIn(list);
  return checkEachText(list, 'spec.ipFamilies', (family, field) => [
    ...(family === 'IPv4' || family === 'IPv6' ? [] : [notSupportedCause(field, family, ['IPv4', 'IPv6'])]),
    ...(families.indexOf(family) < Number(field.slice(field.indexOf('[') + 1, -1))
      ? [duplicateCause(field, family)]
      : []),
  ]);
}

/** Only a load balancer that keeps the addresses of clients asks nodes for their health. */
function healthPortCauses(spec: JsonValue | undefined, type: string, old: JsonObject | undefined): Cause[] {
  const port = memberOf(spec, 'healthCheckNodePort') ?? 0;
  const isChecked = type === 'LoadBalancer' && jsonTextAt(spec, 'externalTrafficPolicy') === 'Local';
  const isKept = old !== undefined && valueAtPath(old, 'spec', 'healthCheckNodePort') === port;
  if (port === 0 || isChecked || isKept) return [];
  const because = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [invalidCause('spec.healthCheckNodePort', port, because)];
}

const onlyLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

const balancerCauses = (spec: JsonValue | undefined, type: string): Cause[] => [
  ...(type === 'LoadBalancer'
    ? []
    : forbidMembers(spec, 'spec', ['allocateLoadBalancerNodePorts', 'loadBalancerClass'], onlyLoadBalancers)),
  ...(type === 'LoadBalancer'
    ? validateNameIfPresent('spec.loadBalancerClass', memberOf(spec, 'loadBalancerClass'), validateQualifiedName)
    : []),
  ...validateChoice('spec.trafficDistribution', memberOf(spec, 'trafficDistribution'), [
    'PreferClose',
    'PreferSameZone',
    'PreferSameNode',
  ]),
];

function sourceRangeCauses(spec: JsonValue | undefined, type: string): Cause[] {
  const ranges = memberOf(spec, 'loadBalancerSourceRanges');
  const field = 'spec.LoadBalancerSourceRanges';
  if (jsonTextsIn(ranges).length === 0) return [];
  const isElsewhere = type !== 'LoadBalancer';
  return [
    ...(isElsewhere ? [forbiddenCause(field, onlyLoadBalancers)] : []),
    ...checkEachText(ranges, field, (block, place) => validateBlock(place, block.trim())),
  ];
}

/** The cluster has addresses of IPv4 alone. A service without pods and without an address of its own may say otherwise. */
function stackCauses(spec: JsonValue | undefined, type: string): Cause[] {
  const isFree = jsonTextAt(spec, 'clusterIP') === 'None' && !hasMembers(memberOf(spec, 'selector'));
  if (isFree || type === 'ExternalName') return [];
  const because = 'this cluster is not configured for dual-stack services';
  const policy = jsonTextAt(spec, 'ipFamilyPolicy');
  return [
    ...(policy === 'RequireDualStack' ? [invalidCause('spec.ipFamilyPolicy', policy, because)] : []),
    ...checkEachText(memberOf(spec, 'ipFamilies'), 'spec.ipFamilies', (family, field) =>
      family === 'IPv6' ? [invalidCause(field, family, 'not configured on this cluster')] : [],
    ),
  ];
}

function serviceAddressCauses(spec: JsonValue | undefined, type: string): Cause[] {
  const [list, first] = [memberOf(spec, 'clusterIPs'), jsonTextAt(spec, 'clusterIP')];
  if (type === 'ExternalName' || !Array.isArray(list)) return [];
  return [
    ...(first === '' && list.length > 0
      ? [invalidCause('spec.clusterIPs', list, 'must be empty when `clusterIP` is not specified')]
      : []),
    ...(first !== '' && list.length > 0 && list[0] !== first
      ? [invalidCause('spec.clusterIPs', list, 'first value must match `clusterIP`')]
      : []),
    ...checkEachText(list, 'spec.clusterIPs', (address, field) =>
      address === 'None' || isAddress(address) ? [] : validateAddress(field, address),
    ),
  ];
}

function addressChangeCauses(spec: JsonObject, old: JsonObject): Cause[] {
  const before = jsonTextAt(old, 'spec', 'clusterIP');
  const after = jsonTextAt(spec, 'clusterIP');
  const isFixed =
    before !== '' && jsonTextAt(spec, 'type') !== 'ExternalName' && jsonTextAt(old, 'spec', 'type') !== 'ExternalName';
  return isFixed && before !== after
    ? [invalidCause('spec.clusterIPs[0]', after === '' ? [] : [after], 'may not change once set')]
    : [];
}

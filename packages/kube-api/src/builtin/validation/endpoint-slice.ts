import { readOwn } from '@nodewright/apis';
import { isIPv4, isIPv6 } from 'node:net';
import {
  type NameRule,
  validateDnsLabel,
  validateLabelValue,
  validateQualifiedName,
  validateSubdomain,
} from '../../schema/metadata/names.ts';
import {
  type Cause,
  duplicateCause,
  invalidCause,
  notSupportedCause,
  requiredCause,
  tooManyCause,
} from '../../schema/cause.ts';
import { type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateAddress, validateReachable } from './addresses.ts';
import {
  checkEachItem,
  checkEachText,
  checkMember,
  jsonObjectsIn,
  lengthOfList,
  validateImmutable,
  validateNamed,
  validateNameIfPresent,
  validateOptionalName,
} from './checks.ts';

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const mostInSlice = { endpoints: 1000, addresses: 100, ports: 20_000 };

/** The problems of an EndpointSlice. */
export function endpointSliceCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const type = jsonTextAt(object, 'addressType');
  return [
    ...(type === ''
      ? [requiredCause('addressType')]
      : addressTypes.includes(type)
        ? []
        : [notSupportedCause('addressType', type, addressTypes)]),
    ...endpointListCauses(object, type),
    ...slicePortListCauses(object),
    ...(old === undefined
      ? []
      : validateImmutable('addressType', memberOf(old, 'addressType'), memberOf(object, 'addressType'))),
  ];
}

function endpointListCauses(object: JsonObject, type: string): Cause[] {
  const count = lengthOfList(object['endpoints']);
  if (count > mostInSlice.endpoints) return [tooManyCause('endpoints', { seen: count, most: mostInSlice.endpoints })];
  return checkEachItem(object, 'endpoints', '', (endpoint, field) => endpointCauses(endpoint, field, type));
}

function endpointCauses(endpoint: JsonObject, field: string, type: string): Cause[] {
  const count = lengthOfList(endpoint['addresses']);
  return [
    ...(count === 0 ? [requiredCause(`${field}.addresses`, 'must contain at least 1 address')] : []),
    ...(count > mostInSlice.addresses
      ? [tooManyCause(`${field}.addresses`, { seen: count, most: mostInSlice.addresses })]
      : []),
    ...checkEachText(endpoint['addresses'], `${field}.addresses`, (address, place) =>
      endpointAddressCauses(address, place, type),
    ),
    ...validateNameIfPresent(`${field}.nodeName`, endpoint['nodeName'], validateSubdomain),
    ...validateNameIfPresent(`${field}.hostname`, endpoint['hostname'], validateDnsLabel),
    ...checkMember(endpoint, 'hints', field, (hints, place) => [
      ...hintCauses(hints, 'forZones', place, validateLabelValue),
      ...hintCauses(hints, 'forNodes', place, validateSubdomain),
    ]),
  ];
}

const mostHints = 8;

/** Zones and nodes that an endpoint is for are named once. */
function hintCauses(hints: JsonObject, key: string, outer: string, rule: NameRule): Cause[] {
  const count = lengthOfList(readOwn(hints, key));
  if (count > mostHints) return [tooManyCause(`${outer}.${key}`, { seen: count, most: mostHints })];
  const seen = new Set<string>();
  return checkEachItem(hints, key, outer, (hint, field) => {
    const name = jsonTextAt(hint, 'name');
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated ? [duplicateCause(`${field}.name`, name)] : validateNamed(`${field}.name`, name, rule);
  });
}

function endpointAddressCauses(address: string, field: string, type: string): Cause[] {
  switch (type) {
    case 'IPv4':
      return isIPv4(address)
        ? validateReachable(field, address)
        : [invalidCause(field, address, 'must be a valid IPv4 address')];
    case 'IPv6':
      return isIPv6(address)
        ? validateReachable(field, address)
        : [invalidCause(field, address, 'must be a valid IPv6 address')];
    case 'FQDN':
      return domainCauses(address, field);
    default:
      return [];
  }
}

function domainCauses(domain: string, field: string): Cause[] {
  const name = domain.replace(/\.$/, '');
  const problems = validateNamed(field, name, validateSubdomain);
  if (problems.length > 0) return problems;
  return name.includes('.')
    ? []
    : [invalidCause(field, name, 'should be a domain with at least two segments separated by dots')];
}

function slicePortListCauses(object: JsonObject): Cause[] {
  const count = lengthOfList(object['ports']);
  if (count > mostInSlice.ports) return [tooManyCause('ports', { seen: count, most: mostInSlice.ports })];
  return [...repeatedPortCauses(object), ...checkEachItem(object, 'ports', '', slicePortCauses)];
}

/** Only one port may be without a name. */
function repeatedPortCauses(object: JsonObject): Cause[] {
  const names = jsonObjectsIn(object['ports']).map((port) => jsonTextAt(port, 'name'));
  return names.flatMap((name, index) =>
    names.indexOf(name) < index ? [duplicateCause(`ports[${index}].name`, name)] : [],
  );
}

const protocols = ['SCTP', 'TCP', 'UDP'];

const slicePortCauses = (port: JsonObject, field: string): Cause[] => [
  ...validateOptionalName(`${field}.name`, port, validateDnsLabel),
  ...protocolCauses(port['protocol'], `${field}.protocol`),
  ...validateNameIfPresent(`${field}.appProtocol`, port['appProtocol'], validateQualifiedName),
];

const protocolCauses = (protocol: JsonValue | undefined, field: string): Cause[] =>
  protocol === undefined
    ? [requiredCause(field)]
    : typeof protocol === 'string' && protocols.includes(protocol)
      ? []
      : [notSupportedCause(field, protocol, protocols)];

/** The problems of an Endpoints object. */
export const endpointsCauses = (object: JsonObject): Cause[] =>
  checkEachItem(object, 'subsets', '', (subset, field) => [
    ...(lengthOfList(subset['addresses']) + lengthOfList(subset['notReadyAddresses']) === 0
      ? [requiredCause(field, 'must specify `addresses` or `notReadyAddresses`')]
      : []),
    ...['addresses', 'notReadyAddresses'].flatMap((key) =>
      checkEachItem(subset, key, field, (address, place) => {
        const hostname = validateOptionalName(`${place}.hostname`, address, validateDnsLabel);
        const ip = jsonTextAt(address, 'ip');
        const problems = validateAddress(`${place}.ip`, ip);
        const node = jsonTextAt(address, 'nodeName');
        return [
          ...hostname,
          ...(address['nodeName'] === undefined ? [] : validateNamed(`${place}.nodeName`, node, validateSubdomain)),
          ...(problems.length > 0 ? problems : validateReachable(`${place}.ip`, ip)),
        ];
      }),
    ),
    ...checkEachItem(subset, 'ports', field, (port, place) => [
      ...(jsonTextAt(port, 'name') === '' && lengthOfList(subset['ports']) > 1 ? [requiredCause(`${place}.name`)] : []),
      ...validateOptionalName(`${place}.name`, port, validateDnsLabel),
      ...portNumberCauses(port['port'], `${place}.port`),
      ...protocolCauses(port['protocol'], `${place}.protocol`),
      ...validateNameIfPresent(`${place}.appProtocol`, port['appProtocol'], validateQualifiedName),
    ]),
  ]);

const portNumberCauses = (port: JsonValue | undefined, field: string): Cause[] =>
  typeof port === 'number' && port >= 1 && port <= 65_535
    ? []
    : [invalidCause(field, port ?? 0, 'must be between 1 and 65535, inclusive')];

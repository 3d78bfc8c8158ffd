import { isIPv4, isIPv6 } from 'node:net';
import { validateDnsLabel, validateQualifiedName, validateSubdomain } from '../../schema/metadata/names.ts';
import { type Cause, invalidCause, notSupportedCause, requiredCause, tooManyCause } from '../../schema/cause.ts';
import { type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateAddress, validateReachable } from './addresses.ts';
import {
  checkEachItem,
  checkEachText,
  jsonObjectsIn,
  lengthOfList,
  validateImmutable,
  validateNamed,
  validateOptionalName,
  validateUniqueNames,
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
    ...validateOptionalName(`${field}.nodeName`, endpoint, validateSubdomain),
    ...validateOptionalName(`${field}.hostname`, endpoint, validateDnsLabel),
  ];
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
  return [
    ...validateUniqueNames('ports', jsonObjectsIn(object['ports'])),
    ...checkEachItem(object, 'ports', '', slicePortCauses),
  ];
}

const protocols = ['SCTP', 'TCP', 'UDP'];

const slicePortCauses = (port: JsonObject, field: string): Cause[] => [
  ...validateOptionalName(`${field}.name`, port, validateDnsLabel),
  ...protocolCauses(port['protocol'], `${field}.protocol`),
  ...validateOptionalName(`${field}.appProtocol`, port, validateQualifiedName),
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
      ...validateOptionalName(`${place}.appProtocol`, port, validateQualifiedName),
    ]),
  ]);

const portNumberCauses = (port: JsonValue | undefined, field: string): Cause[] =>
  typeof port === 'number' && port >= 1 && port <= 65_535
    ? []
    : [invalidCause(field, port ?? 0, 'must be between 1 and 65535, inclusive')];

import { validatePortName } from '../../schema/metadata/port-names.ts';
import { type Cause, forbiddenCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { isLargerBlock, parseBlock, validateBlock } from './addresses.ts';
import {
  checkEachItem,
  checkEachText,
  checkMember,
  lengthOfList,
  validateChoice,
  validateNamed,
  validatePort,
} from './checks.ts';
import { labelSelectorCauses } from './label-selector.ts';

/** The problems of a NetworkPolicy. */
export function networkPolicyCauses(object: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  return [
    ...labelSelectorCauses(memberOf(spec, 'podSelector'), 'spec.podSelector'),
    ...checkEachItem(spec, 'ingress', 'spec', (rule, field) => trafficRuleCauses(rule, field, 'from')),
    ...checkEachItem(spec, 'egress', 'spec', (rule, field) => trafficRuleCauses(rule, field, 'to')),
    ...policyTypeCauses(spec),
  ];
}

function policyTypeCauses(spec: Parameters<typeof memberOf>[0]): Cause[] {
  const types = memberOf(spec, 'policyTypes');
  if (lengthOfList(types) > 2)
    return [invalidCause('spec.policyTypes', types ?? [], 'may not specify more than two policyTypes')];
  return checkEachText(types, 'spec.policyTypes', (type, field) =>
    ['Ingress', 'Egress'].includes(type) ? [] : [notSupportedCause(field, type, ['Ingress', 'Egress'])],
  );
}

const trafficRuleCauses = (rule: JsonObject, field: string, peers: 'from' | 'to'): Cause[] => [
  ...checkEachItem(rule, 'ports', field, portCauses),
  ...checkEachItem(rule, peers, field, peerCauses),
];

function portCauses(item: JsonObject, field: string): Cause[] {
  const { port } = item;
  return [
    ...validateChoice(`${field}.protocol`, item['protocol'], ['TCP', 'UDP', 'SCTP']),
    ...(typeof port === 'string'
      ? validateNamed(`${field}.port`, port, validatePortName)
      : validatePort(`${field}.port`, port)),
    ...endPortCauses(item, `${field}.endPort`),
  ];
}

function endPortCauses({ port, endPort }: JsonObject, field: string): Cause[] {
  if (typeof endPort !== 'number') return [];
  if (port === undefined) return [invalidCause(field, endPort, 'may not be specified when `port` is not specified')];
  if (typeof port !== 'number')
    return [invalidCause(field, endPort, 'may not be specified when `port` is non-numeric')];
  return [
    ...(endPort < port ? [invalidCause(field, endPort, 'must be greater than or equal to `port`')] : []),
    ...validatePort(field, endPort),
  ];
}

function peerCauses(peer: JsonObject, field: string): Cause[] {
  const named = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((key) => memberOf(peer, key) !== undefined);
  return [
    ...labelSelectorCauses(peer['podSelector'], `${field}.podSelector`),
    ...labelSelectorCauses(peer['namespaceSelector'], `${field}.namespaceSelector`),
    ...checkMember(peer, 'ipBlock', field, ipBlockCauses),
    ...(named.length === 0 ? [requiredCause(field, 'must specify a peer')] : []),
    ...(named.length > 1 && named.includes('ipBlock')
      ? [forbiddenCause(field, 'may not specify both ipBlock and another peer')]
      : []),
  ];
}

function ipBlockCauses(item: JsonObject, field: string): Cause[] {
  const cidr = jsonTextAt(item, 'cidr');
  if (cidr === '') return [requiredCause(`${field}.cidr`)];
  const block = parseBlock(cidr);
  if (block === undefined) return validateBlock(`${field}.cidr`, cidr);
  return checkEachText(item['except'], `${field}.except`, (text, place) => {
    const inner = parseBlock(text);
    if (inner === undefined) return validateBlock(place, text);
    return isLargerBlock(block, inner) ? [] : [invalidCause(place, text, 'must be a strict subset of `cidr`')];
  });
}

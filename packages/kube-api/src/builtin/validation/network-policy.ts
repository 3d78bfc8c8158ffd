import { validatePortName } from '../../schema/metadata/port-names.ts';
import { type Cause, forbiddenCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { isLargerBlock, isWholeBlock, parseBlock, validateBlock } from './addresses.ts';
import {
  checkEachItem,
  checkEachText,
  checkMember,
  jsonObjectsIn,
  jsonTextsIn,
  lengthOfList,
  validateChoice,
  validateNamed,
  validatePort,
} from './checks.ts';
import { labelSelectorCauses } from './label-selector.ts';

/** The problems of a NetworkPolicy. */
export function networkPolicyCauses(object: JsonObject, old?: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  const kept = listBlocks(old);
  return [
    ...labelSelectorCauses(memberOf(spec, 'podSelector'), 'spec.podSelector'),
    ...checkEachItem(spec, 'ingress', 'spec', (rule, field) => trafficRuleCauses(rule, field, { peers: 'from', kept })),
    ...checkEachItem(spec, 'egress', 'spec', (rule, field) => trafficRuleCauses(rule, field, { peers: 'to', kept })),
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

type TrafficRule = { readonly peers: 'from' | 'to'; readonly kept: ReadonlySet<string> };

const trafficRuleCauses = (rule: JsonObject, field: string, { peers, kept }: TrafficRule): Cause[] => [
  ...checkEachItem(rule, 'ports', field, portCauses),
  ...checkEachItem(rule, peers, field, (peer, place) => peerCauses(peer, place, kept)),
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

function peerCauses(peer: JsonObject, field: string, kept: ReadonlySet<string>): Cause[] {
  const named = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((key) => memberOf(peer, key) !== undefined);
  return [
    ...labelSelectorCauses(peer['podSelector'], `${field}.podSelector`),
    ...labelSelectorCauses(peer['namespaceSelector'], `${field}.namespaceSelector`),
    ...checkMember(peer, 'ipBlock', field, (block, place) => ipBlockCauses(block, place, kept)),
    ...(named.length === 0 ? [requiredCause(field, 'must specify a peer')] : []),
    ...(named.length > 1 && named.includes('ipBlock')
      ? [forbiddenCause(field, 'may not specify both ipBlock and another peer')]
      : []),
  ];
}

function ipBlockCauses(item: JsonObject, field: string, kept: ReadonlySet<string>): Cause[] {
  const cidr = jsonTextAt(item, 'cidr');
  if (cidr === '') return [requiredCause(`${field}.cidr`)];
  const block = parseBlock(cidr);
  if (block === undefined) return validateBlock(`${field}.cidr`, cidr);
  const isExact = (text: string): boolean => kept.has(text) || isWholeBlock(text);
  return [
    ...(isExact(cidr) ? [] : [invalidCause(`${field}.cidr`, cidr, hostBitsProblem)]),
    ...checkEachText(item['except'], `${field}.except`, (text, place) => {
      const inner = parseBlock(text);
      if (inner === undefined) return validateBlock(place, text);
      return [
        ...(isExact(text) ? [] : [invalidCause(place, text, hostBitsProblem)]),
        ...(isLargerBlock(block, inner) ? [] : [invalidCause(place, text, 'must be a strict subset of `cidr`')]),
      ];
    }),
  ];
}

const hostBitsProblem = 'must not have bits set beyond the prefix length';

/** The blocks of a stored policy, which may stay as they are. */
function listBlocks(policy: JsonObject | undefined): ReadonlySet<string> {
  const spec = memberOf(policy, 'spec');
  const peers = [
    ...jsonObjectsIn(memberOf(spec, 'ingress')).flatMap((rule) => jsonObjectsIn(rule['from'])),
    ...jsonObjectsIn(memberOf(spec, 'egress')).flatMap((rule) => jsonObjectsIn(rule['to'])),
  ];
  return new Set(
    peers.flatMap(({ ipBlock }) => [jsonTextAt(ipBlock, 'cidr'), ...jsonTextsIn(memberOf(ipBlock, 'except'))]),
  );
}

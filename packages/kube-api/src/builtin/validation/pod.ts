import { readOwn } from '@nodewright/apis';
import { validateDnsLabel, validateQualifiedName, validateSubdomain } from '../../schema/metadata/names.ts';
import {
  type Cause,
  duplicateCause,
  forbiddenCause,
  invalidCause,
  notSupportedCause,
  requiredCause,
  tooLongCause,
} from '../../schema/cause.ts';
import { isObject, type JsonValue, type JsonObject, jsonTextAt, memberOf, valueAtPath } from '../../schema/json.ts';
import { validateAddress } from './addresses.ts';
import { affinityCauses, spreadCauses } from './affinity.ts';
import {
  checkEachItem,
  checkEachText,
  jsonObjectsIn,
  lengthOfList,
  validateChoice,
  validateNamed,
  validateOptionalName,
  validateRange,
} from './checks.ts';
import { podClaimCauses } from './container-parts.ts';
import { containerCauses, podImageCauses } from './containers.ts';
import { ephemeralContainerCauses } from './ephemeral-containers.ts';
import { podAmountCauses } from './pod-amounts.ts';
import { podVolumeCauses } from './pod-volumes.ts';
import { podSecurityCauses } from './security-context.ts';
import { tolerationCauses } from './tolerations.ts';

/** The problems of a new pod. What debugs it comes later. */
export const newPodCauses = (object: JsonObject): Cause[] => [
  ...podSpecCauses(object['spec'], 'spec'),
  ...podImageCauses(object['spec'], 'spec'),
  ...(lengthOfList(memberOf(object['spec'], 'ephemeralContainers')) > 0
    ? [forbiddenCause('spec.ephemeralContainers', 'cannot be set on create')]
    : []),
];

/** The problems of a pod spec, in a pod or in a template. */
export function podSpecCauses(spec: JsonValue | undefined, field: string): Cause[] {
  if (!isObject(spec)) return [requiredCause(`${field}.containers`)];
  return [
    ...podVolumeCauses(spec, field),
    ...containerCauses(spec, field),
    ...podClaimCauses(spec, field),
    ...ephemeralContainerCauses({ spec }, {}).map((cause) => ({
      ...cause,
      field: cause.field.replace(/^spec/, field),
    })),
    ...podAmountCauses(spec, field),
    ...hostProcessCauses(spec, field),
    ...podSystemCauses(spec['os'], `${field}.os`),
    ...validateChoice(`${field}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never']),
    ...validateChoice(`${field}.dnsPolicy`, spec['dnsPolicy'], dnsPolicies),
    ...podSecurityCauses(spec, field),
    ...affinityCauses(spec, field),
    ...dnsCauses(spec, field),
    ...checkEachItem(spec, 'readinessGates', field, (gate, place) =>
      validateNamed(`${place}.conditionType`, jsonTextAt(gate, 'conditionType'), validateQualifiedName),
    ),
    ...gateCauses(spec, field),
    ...spreadCauses(spec, field),
    ...placeCauses(spec, field),
    ...checkEachItem(spec, 'tolerations', field, tolerationCauses),
    ...checkEachItem(spec, 'hostAliases', field, aliasCauses),
    ...validateOptionalName(`${field}.priorityClassName`, spec, validateSubdomain),
    ...validateOptionalName(`${field}.runtimeClassName`, spec, validateSubdomain),
    ...validateChoice(`${field}.preemptionPolicy`, spec['preemptionPolicy'], ['PreemptLowerPriority', 'Never']),
  ];
}

/** Containers that are processes of the node are on its network. */
function hostProcessCauses(spec: JsonObject, field: string): Cause[] {
  const isProcess = (holder: JsonValue | undefined): boolean =>
    valueAtPath(holder, 'securityContext', 'windowsOptions', 'hostProcess') === true;
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((key) =>
    jsonObjectsIn(readOwn(spec, key)),
  );
  const own = containers.map((container) =>
    valueAtPath(container, 'securityContext', 'windowsOptions', 'hostProcess') === undefined
      ? isProcess(spec)
      : isProcess(container),
  );
  if (!isProcess(spec) && !own.includes(true)) return [];
  const mixed = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
  return [
    ...(own.includes(false) ? [invalidCause(field, '', mixed)] : []),
    ...(spec['hostNetwork'] === true
      ? []
      : [
          invalidCause(
            `${field}.hostNetwork`,
            false,
            'hostNetwork must be true if pod contains any hostProcess containers',
          ),
        ]),
  ];
}

const podSystems = ['linux', 'windows'];

function podSystemCauses(os: JsonValue | undefined, field: string): Cause[] {
  if (!isObject(os)) return [];
  const name = jsonTextAt(os, 'name');
  if (name === '') return [requiredCause(`${field}.name`)];
  return podSystems.includes(name) ? [] : [notSupportedCause(field, name, podSystems)];
}

const dnsPolicies = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'];
const mostInt32 = 2_147_483_647;

/** The problems of where a pod runs and how it is called there. */
const placeCauses = (spec: JsonObject, field: string): Cause[] => [
  ...validateOptionalName(`${field}.serviceAccountName`, spec, validateSubdomain),
  ...validateOptionalName(`${field}.nodeName`, spec, validateSubdomain),
  ...validateRange(`${field}.activeDeadlineSeconds`, spec['activeDeadlineSeconds'], { least: 1, most: mostInt32 }),
  ...validateOptionalName(`${field}.hostname`, spec, validateDnsLabel),
  ...validateOptionalName(`${field}.subdomain`, spec, validateDnsLabel),
  ...hostNameOverrideCauses(spec, `${field}.hostnameOverride`),
];

const longestHostName = 64;

/** A name in place of the one that the pod would have on its own network. */
function hostNameOverrideCauses(spec: JsonObject, field: string): Cause[] {
  const name = memberOf(spec, 'hostnameOverride');
  if (typeof name !== 'string') return [];
  return [
    ...(spec['hostNetwork'] === true ? [forbiddenCause(field, 'may not be specified when hostNetwork is true')] : []),
    ...(spec['setHostnameAsFQDN'] === true
      ? [forbiddenCause(field, 'may not be specified when setHostnameAsFQDN is true')]
      : []),
    ...validateNamed(field, name, validateSubdomain),
    ...(name.length > longestHostName ? [tooLongCause(field, longestHostName)] : []),
  ];
}

function gateCauses(spec: JsonObject, field: string): Cause[] {
  const names = jsonObjectsIn(spec['schedulingGates']).map((gate) => jsonTextAt(gate, 'name'));
  const first = new Map(names.map((name, index) => [name, index] as const).toReversed());
  return names.flatMap((name, index) => [
    ...validateNamed(`${field}.schedulingGates[${index}]`, name, validateQualifiedName),
    ...((first.get(name) ?? index) < index ? [duplicateCause(`${field}.schedulingGates[${index}]`, name)] : []),
  ]);
}

function aliasCauses(alias: JsonObject, field: string): Cause[] {
  return [
    ...validateAddress(`${field}.ip`, jsonTextAt(alias, 'ip')),
    ...checkEachText(alias['hostnames'], `${field}.hostnames`, (name, place) =>
      validateNamed(place, name, validateSubdomain),
    ),
  ];
}

const mostDnsEntries = { nameservers: 3, searches: 32 };

function dnsCauses(spec: JsonObject, field: string): Cause[] {
  const config = spec['dnsConfig'];
  const place = `${field}.dnsConfig`;
  const servers = memberOf(config, 'nameservers');
  const searches = memberOf(config, 'searches');
  return [
    ...(spec['dnsPolicy'] === 'None' && !isObject(config)
      ? [requiredCause(place, 'must provide `dnsConfig` when `dnsPolicy` is None')]
      : []),
    ...(spec['dnsPolicy'] === 'None' && isObject(config) && lengthOfList(servers) === 0
      ? [requiredCause(`${place}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')]
      : []),
    ...(lengthOfList(servers) > mostDnsEntries.nameservers
      ? [
          invalidCause(
            `${place}.nameservers`,
            servers ?? [],
            `must not have more than ${mostDnsEntries.nameservers} nameservers`,
          ),
        ]
      : []),
    ...checkEachText(servers, `${place}.nameservers`, (address, inner) => validateAddress(inner, address)),
    ...(lengthOfList(searches) > mostDnsEntries.searches
      ? [
          invalidCause(
            `${place}.searches`,
            searches ?? [],
            `must not have more than ${mostDnsEntries.searches} search paths`,
          ),
        ]
      : []),
    ...checkEachText(searches, `${place}.searches`, (domain, inner) =>
      domain === '.' ? [] : validateNamed(inner, domain.replace(/\.$/, '').replaceAll('_', '-'), validateSubdomain),
    ),
    ...checkEachItem(config, 'options', place, (option, inner) =>
      jsonTextAt(option, 'name') === '' ? [requiredCause(inner, 'must not be empty')] : [],
    ),
  ];
}

import { readOwn } from '@nodewright/apis';
import { type Cause, duplicateCause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateDnsLabel, validateQualifiedName, validateSubdomain } from '../../schema/metadata/names.ts';
import { parseBlock } from './addresses.ts';
import { nodeSelectorCauses } from './affinity.ts';
import {
  checkEachItem,
  checkEachText,
  checkMember,
  jsonObjectsIn,
  jsonTextsIn,
  lengthOfList,
  validateChoice,
  validateNamed,
  validateNameIfPresent,
} from './checks.ts';
import { conditionListCauses } from './condition-list.ts';
import { namesOfRequest, opaqueCauses, requestNameCauses, unknownRequestProblem } from './devices.ts';
import { driverNameCauses } from './storage-kinds.ts';

/** The problems of the status of a ResourceClaim: what it got, who uses it, and what drivers say of its devices. */
export function claimedStatusCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const status = memberOf(object, 'status');
  const names = new Set(
    jsonObjectsIn(memberOf(memberOf(object['spec'], 'devices'), 'requests')).flatMap(namesOfRequest),
  );
  return [
    ...checkMember(status, 'allocation', 'status', (allocation, field) => allocationCauses(allocation, field, names)),
    ...consumerCauses(status),
    ...deviceStatusCauses(status),
    ...allocationChangeCauses(memberOf(memberOf(old, 'status'), 'allocation'), memberOf(status, 'allocation')),
  ];
}

function consumerCauses(status: JsonValue | undefined): Cause[] {
  const seen = new Set<string>();
  return [
    ...checkEachItem(status, 'reservedFor', 'status', (consumer, field) => {
      const uid = jsonTextAt(consumer, 'uid');
      const isRepeated = seen.has(uid);
      seen.add(uid);
      return [
        ...['resource', 'name', 'uid'].flatMap((key) =>
          jsonTextAt(consumer, key) === '' ? [requiredCause(`${field}.${key}`)] : [],
        ),
        ...(isRepeated ? [duplicateCause(field, uid)] : []),
      ];
    }),
    ...(lengthOfList(memberOf(status, 'reservedFor')) > 0 && !isObject(memberOf(status, 'allocation'))
      ? [forbiddenCause('status.reservedFor', 'may not be specified when `allocated` is not set')]
      : []),
  ];
}

/** What was allocated stays until it is given back. */
const allocationChangeCauses = (before: JsonValue | undefined, after: JsonValue | undefined): Cause[] =>
  before === undefined || after === undefined || isEqualJson(before, after)
    ? []
    : [invalidCause('status.allocation', after, 'field is immutable')];

const allocationCauses = (allocation: JsonObject, field: string, names: ReadonlySet<string>): Cause[] => [
  ...checkMember(allocation, 'devices', field, (devices, place) => [
    ...checkEachItem(devices, 'results', place, (result, inner) => resultCauses(result, inner, names)),
    ...checkEachItem(devices, 'config', place, (config, inner) => [
      ...(jsonTextAt(config, 'source') === ''
        ? [requiredCause(`${inner}.source`)]
        : validateChoice(`${inner}.source`, config['source'], ['FromClaim', 'FromClass'])),
      ...requestNameCauses(config, inner, names),
      ...opaqueCauses(config, inner),
    ]),
  ]),
  ...checkMember(allocation, 'nodeSelector', field, nodeSelectorCauses),
];

function resultCauses(result: JsonObject, field: string, names: ReadonlySet<string>): Cause[] {
  const request = jsonTextAt(result, 'request');
  return [
    ...(names.has(request) ? [] : [invalidCause(`${field}.request`, request, unknownRequestProblem)]),
    ...allocatedNameCauses(result, field),
    ...bindingConditionCauses(result, field),
  ];
}

/** Conditions that a device has to meet before a pod uses it, and those by which it fails: both or none. */
export function bindingConditionCauses(result: JsonObject, field: string): Cause[] {
  const [met, failed] = ['bindingConditions', 'bindingFailureConditions'] as const;
  const list = (key: string): readonly string[] => jsonTextsIn(readOwn(result, key));
  const each = (key: string): Cause[] =>
    checkEachText(readOwn(result, key), `${field}.${key}`, (name, place) => [
      ...validateNamed(place, name, validateQualifiedName),
      ...(list(key).indexOf(name) < Number(place.slice(place.lastIndexOf('[') + 1, -1))
        ? [duplicateCause(place, name)]
        : []),
    ]);
  const missing = (key: string, other: string): Cause[] =>
    list(key).length === 0 && list(other).length > 0
      ? [invalidCause(`${field}.${key}`, null, `${key} are required to use ${other}`)]
      : [];
  const both = list(failed).flatMap((name, at) =>
    list(met).includes(name) ? [invalidCause(`${field}.${failed}[${at}]`, name, inBothLists)] : [],
  );
  return [...each(met), ...each(failed), ...both, ...missing(met, failed), ...missing(failed, met)];
}

const inBothLists = 'bindingFailureConditions must not overlap with bindingConditions';

/** A device is named by its driver, its pool and its own name. */
const allocatedNameCauses = (device: JsonObject, field: string): Cause[] => [
  ...driverNameCauses(`${field}.driver`, jsonTextAt(device, 'driver')),
  ...poolNameCauses(jsonTextAt(device, 'pool'), `${field}.pool`),
  ...validateNamed(`${field}.device`, jsonTextAt(device, 'device'), validateDnsLabel),
  ...deviceShareCauses(device['shareID'], `${field}.shareID`),
];

const longestPoolName = 253;

function poolNameCauses(name: string, field: string): Cause[] {
  if (name === '') return [requiredCause(field)];
  return [
    ...(name.length > longestPoolName
      ? [
          {
            reason: 'FieldValueTooLong' as const,
            message: `Too long: may not be more than ${longestPoolName} bytes`,
            field,
          },
        ]
      : []),
    ...name.split('/').flatMap((part) => validateNamed(field, part, validateSubdomain)),
  ];
}

const deviceShareCauses = (share: JsonValue | undefined, field: string): Cause[] =>
  validateNameIfPresent(field, share, (text) =>
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)
      ? []
      : [`error validating uid: invalid UUID length: ${text.length}`],
  );

const deviceKey = (device: JsonObject): string =>
  JSON.stringify(['driver', 'pool', 'device', 'shareID'].map((key) => jsonTextAt(device, key)));

/** A driver reports about devices that the claim got, and about each of them once. */
function deviceStatusCauses(status: JsonValue | undefined): Cause[] {
  const results = memberOf(memberOf(memberOf(status, 'allocation'), 'devices'), 'results');
  const allocated = new Set(jsonObjectsIn(results).map(deviceKey));
  const seen = new Set<string>();
  return checkEachItem(status, 'devices', 'status', (device, field) => {
    const key = deviceKey(device);
    const isRepeated = seen.has(key);
    seen.add(key);
    const printed = {
      Driver: jsonTextAt(device, 'driver'),
      Pool: jsonTextAt(device, 'pool'),
      Device: jsonTextAt(device, 'device'),
      ShareID: jsonTextAt(device, 'shareID'),
    };
    return [
      ...allocatedNameCauses(device, field),
      ...(isRepeated ? [duplicateCause(field, printed)] : []),
      ...(allocated.has(key) ? [] : [invalidCause(field, printed, 'must be an allocated device in the claim')]),
      ...conditionListCauses(device, field),
      ...(device['data'] === undefined || isObject(device['data'])
        ? []
        : [invalidCause(`${field}.data`, '<value omitted>', 'must be a valid JSON object')]),
      ...checkEachText(memberOf(device['networkData'], 'ips'), `${field}.networkData.ips`, (text, place) =>
        parseBlock(text) === undefined
          ? [invalidCause(place, text, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)')]
          : [],
      ),
    ];
  });
}

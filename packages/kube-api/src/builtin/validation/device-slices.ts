import { type Cause, duplicateCause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import {
  validateDnsLabel,
  validateLabelValue,
  validateQualifiedName,
  validateSubdomain,
} from '../../schema/metadata/names.ts';
import {
  checkEachItem,
  checkMember,
  hasMembers,
  lengthOfList,
  membersOf,
  validateChoice,
  validateImmutable,
  validateNamed,
} from './checks.ts';
import { nodeSelectorCauses } from './affinity.ts';
import { bindingConditionCauses } from './claimed-status.ts';
import { deviceNameCauses } from './device-names.ts';
import { driverNameCauses } from './storage-kinds.ts';

/** The problems of a ResourceSlice. Its driver, its pool and its node never change. */
export function resourceSliceCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  const before = memberOf(old, 'spec');
  const perDevice = memberOf(spec, 'perDeviceNodeSelection');
  return [
    ...driverNameCauses('spec.driver', jsonTextAt(spec, 'driver')),
    ...poolCauses(memberOf(spec, 'pool')),
    ...placeOfSliceCauses(spec),
    ...(memberOf(spec, 'allNodes') === false
      ? [invalidCause('spec.allNodes', false, 'must be either unset or set to true')]
      : []),
    ...(perDevice === false
      ? [invalidCause('spec.perDeviceNodeSelection', false, 'must be either unset or set to true')]
      : []),
    ...(lengthOfList(memberOf(spec, 'devices')) > 0 && lengthOfList(memberOf(spec, 'sharedCounters')) > 0
      ? [invalidCause('spec', '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...counterSetCauses(spec),
    ...deviceListCauses(spec),
    ...(old === undefined
      ? []
      : [
          ...validateImmutable('spec.driver', memberOf(before, 'driver'), memberOf(spec, 'driver')),
          ...validateImmutable('spec.pool.name', jsonTextAt(before, 'pool', 'name'), jsonTextAt(spec, 'pool', 'name')),
          ...validateImmutable('spec.nodeName', memberOf(before, 'nodeName'), memberOf(spec, 'nodeName')),
        ]),
  ];
}

function poolCauses(pool: JsonValue | undefined): Cause[] {
  const name = jsonTextAt(pool, 'name');
  const [generation, count] = [memberOf(pool, 'generation') ?? 0, memberOf(pool, 'resourceSliceCount') ?? 0];
  return [
    ...(name === ''
      ? [requiredCause('spec.pool.name')]
      : name.split('/').flatMap((part) => validateNamed('spec.pool.name', part, validateSubdomain))),
    ...(typeof count === 'number' && count <= 0
      ? [invalidCause('spec.pool.resourceSliceCount', count, 'must be greater than zero')]
      : []),
    ...(typeof generation === 'number' && generation < 0
      ? [invalidCause('spec.pool.generation', generation, 'must be greater than or equal to zero')]
      : []),
  ];
}

const onePlaceOfSlice = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

function placeOfSliceCauses(spec: JsonValue | undefined): Cause[] {
  const name = memberOf(spec, 'nodeName');
  const given = [
    ...(name === undefined ? [] : ['`nodeName`']),
    ...(isObject(memberOf(spec, 'nodeSelector')) ? ['`nodeSelector`'] : []),
    ...(memberOf(spec, 'allNodes') === true ? ['`allNodes`'] : []),
    ...(memberOf(spec, 'perDeviceNodeSelection') === true ? ['`perDeviceNodeSelection`'] : []),
  ];
  return [
    ...(typeof name === 'string' ? validateNamed('spec.nodeName', name, validateSubdomain) : []),
    ...checkMember(spec, 'nodeSelector', 'spec', oneTermCauses),
    ...(given.length === 0 ? [requiredCause('spec', onePlaceOfSlice)] : []),
    ...(given.length > 1
      ? [invalidCause('spec', `{${given.join(', ')}}`, `${onePlaceOfSlice}, but multiple fields are set`)]
      : []),
  ];
}

/** Where devices are is one term. */
function oneTermCauses(selector: JsonObject, field: string): Cause[] {
  const terms = selector['nodeSelectorTerms'];
  return [
    ...nodeSelectorCauses(selector, field),
    ...(lengthOfList(terms) === 1
      ? []
      : [invalidCause(`${field}.nodeSelectorTerms`, terms ?? [], 'must have exactly one node selector term')]),
  ];
}

function counterSetCauses(spec: JsonValue | undefined): Cause[] {
  const seen = new Set<string>();
  return checkEachItem(spec, 'sharedCounters', 'spec', (set, field) => {
    const name = jsonTextAt(set, 'name');
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...(name === '' ? [requiredCause(`${field}.name`)] : validateNamed(`${field}.name`, name, validateDnsLabel)),
      ...(hasMembers(set['counters'])
        ? membersOf(set['counters']).flatMap(([key]) => validateNamed(`${field}.counters`, key, validateDnsLabel))
        : [requiredCause(`${field}.counters`)]),
      ...(isRepeated ? [duplicateCause(field, name)] : []),
    ];
  });
}

function deviceListCauses(spec: JsonValue | undefined): Cause[] {
  const isPerDevice = memberOf(spec, 'perDeviceNodeSelection') === true;
  const seen = new Set<string>();
  return checkEachItem(spec, 'devices', 'spec', (device, field) => {
    const name = jsonTextAt(device, 'name');
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...validateNamed(`${field}.name`, name, validateDnsLabel),
      ...membersOf(device['attributes']).flatMap(([key, value]) => [
        ...deviceNameCauses(key, `${field}.attributes`),
        ...attributeCauses(value, `${field}.attributes[${key}]`),
      ]),
      ...membersOf(device['capacity']).flatMap(([key, value]) => [
        ...deviceNameCauses(key, `${field}.capacity`),
        ...(isObject(memberOf(value, 'requestPolicy')) && device['allowMultipleAllocations'] !== true
          ? [forbiddenCause(`${field}.capacity[${key}].requestPolicy`, 'allowMultipleAllocations must be true')]
          : []),
      ]),
      ...checkEachItem(device, 'taints', field, deviceTaintCauses),
      ...consumedCauses(device, field),
      ...placeOfDeviceCauses(device, field, isPerDevice),
      ...bindingConditionCauses(device, field),
      ...(isRepeated ? [duplicateCause(field, name)] : []),
    ];
  });
}

/** The types of values that an attribute may have, as their members are called inside a server. */
const attributeTypes: readonly (readonly [member: string, printed: string])[] = [
  ['int', 'IntValue'],
  ['bool', 'BoolValue'],
  ['string', 'StringValue'],
  ['version', 'VersionValue'],
  ['ints', 'IntValues'],
  ['bools', 'BoolValues'],
  ['strings', 'StringValues'],
  ['versions', 'VersionValues'],
];

const mostAttributeText = 64;
const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-.]+)?$/;

function attributeCauses(value: JsonValue, field: string): Cause[] {
  // Lists belong to a feature that is off.
  const given = attributeTypes.slice(0, 4).filter(([member]) => memberOf(value, member) !== undefined);
  const printed = Object.fromEntries(
    attributeTypes.map(([member, name]): [string, JsonValue] => [name, memberOf(value, member) ?? null]),
  );
  const [text, version] = [jsonTextAt(value, 'string'), memberOf(value, 'version')];
  const tooLong = (member: string): Cause => ({
    reason: 'FieldValueTooLong',
    message: `Too long: may not be more than ${mostAttributeText} bytes`,
    field: `${field}.${member}`,
  });
  return [
    ...(text.length > mostAttributeText ? [tooLong('string')] : []),
    ...(typeof version === 'string' && version.length > mostAttributeText ? [tooLong('version')] : []),
    ...(typeof version === 'string' && !semanticVersion.test(version)
      ? [invalidCause(`${field}.version`, version, 'must be a string compatible with semver.org spec 2.0.0')]
      : []),
    ...(given.length === 0 ? [invalidCause(field, '', 'exactly one value must be specified')] : []),
    ...(given.length > 1 ? [invalidCause(field, printed, 'exactly one value must be specified')] : []),
  ];
}

function deviceTaintCauses(taint: JsonObject, field: string): Cause[] {
  const [key, value, effect] = [jsonTextAt(taint, 'key'), jsonTextAt(taint, 'value'), jsonTextAt(taint, 'effect')];
  return [
    ...validateNamed(`${field}.key`, key, validateQualifiedName),
    ...(value === '' ? [] : validateNamed(`${field}.value`, value, validateLabelValue)),
    ...(effect === ''
      ? [requiredCause(`${field}.effect`)]
      : validateChoice(`${field}.effect`, effect, ['NoExecute', 'NoSchedule', 'None'])),
  ];
}

function consumedCauses(device: JsonObject, field: string): Cause[] {
  const seen = new Set<string>();
  return checkEachItem(device, 'consumesCounters', field, (consumed, place) => {
    const set = jsonTextAt(consumed, 'counterSet');
    const isRepeated = seen.has(set);
    seen.add(set);
    return [
      ...(set === ''
        ? [requiredCause(`${place}.counterSet`)]
        : validateNamed(`${place}.counterSet`, set, validateDnsLabel)),
      ...(hasMembers(consumed['counters'])
        ? membersOf(consumed['counters']).flatMap(([key]) => validateNamed(`${place}.counters`, key, validateDnsLabel))
        : [requiredCause(`${place}.counters`)]),
      ...(isRepeated ? [duplicateCause(place, set)] : []),
    ];
  });
}

const perDeviceOnly =
  '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';

function placeOfDeviceCauses(device: JsonObject, field: string, isPerDevice: boolean): Cause[] {
  const given = ['nodeName', 'nodeSelector', 'allNodes'].filter((key) => memberOf(device, key) !== undefined);
  if (!isPerDevice) return given.length > 0 ? [invalidCause(field, null, perDeviceOnly)] : [];
  const which = 'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required';
  if (given.length === 0)
    return [requiredCause(field, `${which} when \`perDeviceNodeSelection\` is set to true in the ResourceSlice spec`)];
  return given.length > 1 ? [invalidCause(field, `{${given.map((key) => `\`${key}\``).join(', ')}}`, which)] : [];
}

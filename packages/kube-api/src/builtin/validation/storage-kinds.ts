import { type Cause, duplicateCause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateDnsLabel, validateQualifiedName, validateSubdomain } from '../../schema/metadata/names.ts';
import {
  amountNanos,
  amountText,
  checkEachItem,
  checkEachText,
  jsonObjectsIn,
  membersOf,
  validateImmutable,
  validateNamed,
  validateNotNegative,
} from './checks.ts';
import { labelSelectorCauses } from './label-selector.ts';

const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

/** The problems of a VolumeAttachment. What it attaches where never changes. */
export function attachmentCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  const source = memberOf(spec, 'source');
  const [attacher, node] = [jsonTextAt(spec, 'attacher'), jsonTextAt(spec, 'nodeName')];
  const hasInline = isObject(memberOf(source, 'inlineVolumeSpec'));
  const hasName = memberOf(source, 'persistentVolumeName') !== undefined;
  return [
    ...driverNameCauses('spec.attacher', attacher),
    ...(hasInline && hasName ? [forbiddenCause('spec.source', oneSource)] : []),
    ...(hasInline || hasName ? [] : [requiredCause('spec.source', oneSource)]),
    ...(hasName && !hasInline && jsonTextAt(source, 'persistentVolumeName') === ''
      ? [requiredCause('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName')]
      : []),
    ...validateNamed('spec.nodeName', node, validateSubdomain),
    ...(hasName
      ? validateNamed('spec.source.persistentVolumeName', jsonTextAt(source, 'persistentVolumeName'), validateSubdomain)
      : []),
    ...attachmentStatusCauses(object),
    ...(old === undefined ? [] : validateImmutable('spec', memberOf(old, 'spec'), spec)),
  ];
}

/** The problems of the status of a VolumeAttachment: its errors have a code that is not negative. */
export const attachmentStatusCauses = (object: JsonObject): Cause[] =>
  ['attachError', 'detachError'].flatMap((key) => {
    const code = memberOf(memberOf(object['status'], key), 'errorCode');
    return typeof code === 'number' && code < 0
      ? [invalidCause(`status.${key}.errorCode`, code, 'must be between 0 and 2147483647, inclusive')]
      : [];
  });

const longestDriverName = 63;

/** The problems of the name of a driver. */
export function driverNameCauses(field: string, name: string): Cause[] {
  if (name === '') return [requiredCause(field)];
  const isLong = name.length > longestDriverName;
  return [
    ...(isLong
      ? [
          {
            reason: 'FieldValueTooLong' as const,
            message: `Too long: may not be more than ${longestDriverName} bytes`,
            field,
          },
        ]
      : []),
    ...validateSubdomain(name.toLowerCase()).map((problem) => invalidCause(field, name, problem)),
  ];
}

/** The problems of a CSINode. */
export function storageNodeCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const seen = new Set<string>();
  const drivers = checkEachItem(memberOf(object, 'spec'), 'drivers', 'spec', (driver, field) => {
    const [name, id] = [jsonTextAt(driver, 'name'), jsonTextAt(driver, 'nodeID')];
    const isRepeated = seen.has(name);
    seen.add(name);
    const count = memberOf(driver['allocatable'], 'count');
    return [
      ...driverNameCauses(`${field}.name`, name),
      ...(id === '' ? [requiredCause(`${field}.nodeID`)] : []),
      ...(typeof count === 'number' && count < 0 ? validateNotNegative(`${field}.allocatable.count`, count) : []),
      ...topologyKeyCauses(driver['topologyKeys'], field),
      ...(isRepeated ? [duplicateCause(`${field}.name`, name)] : []),
    ];
  });
  return old === undefined ? drivers : [...drivers, ...driverChangeCauses(object, old)];
}

/** A driver of a node stays as it is, except for how many volumes it takes. */
function driverChangeCauses(object: JsonObject, old: JsonObject): Cause[] {
  const fixed = (driver: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(driver).filter(([key]) => key !== 'allocatable'));
  const driversOf = (node: JsonObject): JsonObject[] => jsonObjectsIn(memberOf(node['spec'], 'drivers'));
  return driversOf(old).flatMap((before) =>
    driversOf(object)
      .filter((after) => after['name'] === before['name'] && !isEqualJson(fixed(after), fixed(before)))
      .map((after) => invalidCause('spec.drivers', fixed(after), 'field is immutable')),
  );
}

/** A real server names the driver instead of the key. */
function topologyKeyCauses(keys: JsonValue | undefined, field: string): Cause[] {
  const seen = new Set<string>();
  return checkEachText(keys, field, (key) => {
    const isRepeated = seen.has(key);
    seen.add(key);
    return [
      ...(key === '' ? [requiredCause(field)] : []),
      ...(isRepeated ? [duplicateCause(field, key)] : []),
      ...validateNamed(field, key, validateQualifiedName),
    ];
  });
}

/** The problems of a CSIStorageCapacity. Its place and its class never change. */
export function storageCapacityCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const storageClass = jsonTextAt(object, 'storageClassName');
  return [
    ...validateNamed('storageClassName', storageClass, validateSubdomain),
    ...labelSelectorCauses(object['nodeTopology'], 'nodeTopology'),
    ...['capacity', 'maximumVolumeSize'].flatMap((key) => {
      const amount = memberOf(object, key);
      return amount !== undefined && (amountNanos(amount) ?? 0n) < 0n
        ? [invalidCause(key, amountText(amount), 'must be greater than or equal to 0')]
        : [];
    }),
    ...(old === undefined
      ? []
      : ['nodeTopology', 'storageClassName'].flatMap((key) =>
          validateImmutable(key, memberOf(old, key), memberOf(object, key)),
        )),
  ];
}

/** The problems of a VolumeAttributesClass. Neither its driver nor its parameters change. */
export function volumeClassCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const driver = jsonTextAt(object, 'driverName');
  const parameters = membersOf(object['parameters']);
  return [
    ...(old === undefined
      ? []
      : ['driverName', 'parameters']
          .filter((key) => !isEqualJson(memberOf(old, key), memberOf(object, key)))
          .map((key) => forbiddenCause(key, `updates to ${key} are forbidden.`))),
    ...(driver === ''
      ? [requiredCause('driverName')]
      : validateQualifiedName(driver.toLowerCase()).map((problem) => invalidCause('driverName', driver, problem))),
    ...(parameters.length === 0 ? [requiredCause('parameters', 'must contain at least one key/value pair')] : []),
    ...parameters.filter(([key]) => key === '').map(() => invalidCause('parameters', '', 'field can not be empty.')),
  ];
}

/** The problems of a reference to a secret of a driver. */
export function driverSecretCauses(secret: JsonObject, field: string): Cause[] {
  const [name, namespace] = [jsonTextAt(secret, 'name'), jsonTextAt(secret, 'namespace')];
  return [
    ...(name === '' ? [requiredCause(`${field}.name`)] : validateNamed(`${field}.name`, name, validateSubdomain)),
    ...(namespace === ''
      ? [requiredCause(`${field}.namespace`)]
      : validateNamed(`${field}.namespace`, namespace, validateDnsLabel)),
  ];
}

import { validateDnsLabel, validateQualifiedName, validateSubdomain } from '../../schema/metadata/names.ts';
import { type Cause, forbiddenCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import {
  isEqualJson,
  isObject,
  type JsonValue,
  type JsonObject,
  jsonTextAt,
  memberOf,
  valueAtPath,
} from '../../schema/json.ts';
import {
  amountText,
  lengthOfList,
  membersOf,
  amountNanos,
  jsonTextsIn,
  validateChoice,
  validateImmutable,
  validateNamed,
  validateOptionalName,
  validatePositiveAmount,
  validatePresence,
} from './checks.ts';
import { labelSelectorCauses } from './label-selector.ts';

const knownModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** The problems of how a volume may be used. */
export function volumeUseCauses(modes: JsonValue | undefined, field: string): Cause[] {
  const texts = jsonTextsIn(modes);
  return [
    ...texts.filter((mode) => !knownModes.includes(mode)).map((mode) => notSupportedCause(field, mode, knownModes)),
    ...(texts.includes('ReadWriteOncePod') && texts.length > 1
      ? [forbiddenCause(field, 'may not use ReadWriteOncePod with other access modes')]
      : []),
  ];
}

/** The problems of the spec of a claim, which a template may have too. */
export function claimSpecCauses(spec: JsonValue | undefined, field: string): Cause[] {
  const modes = memberOf(spec, 'accessModes');
  return [
    ...(lengthOfList(modes) === 0 ? [requiredCause(`${field}.accessModes`, 'at least 1 access mode is required')] : []),
    ...labelSelectorCauses(memberOf(spec, 'selector'), `${field}.selector`),
    ...volumeUseCauses(modes, `${field}.accessModes`),
    ...sizeCauses(valueAtPath(spec, 'resources', 'requests', 'storage'), `${field}.resources[storage]`),
    ...validateOptionalName(`${field}.storageClassName`, spec, validateSubdomain),
    ...validateChoice(`${field}.volumeMode`, memberOf(spec, 'volumeMode'), ['Block', 'Filesystem']),
    ...dataSourceCauses(memberOf(spec, 'dataSource'), `${field}.dataSource`),
    ...dataSourceCauses(memberOf(spec, 'dataSourceRef'), `${field}.dataSourceRef`),
    ...validateOptionalName(`${field}.volumeAttributesClassName`, spec, validateSubdomain),
  ];
}

const sizeCauses = (size: JsonValue | undefined, field: string): Cause[] =>
  size === undefined ? [requiredCause(field)] : validatePositiveAmount(field, size);

function dataSourceCauses(source: JsonValue | undefined, field: string): Cause[] {
  if (!isObject(source)) return [];
  const kind = jsonTextAt(source, 'kind');
  return [
    ...validatePresence(`${field}.name`, source['name']),
    ...validatePresence(`${field}.kind`, source['kind']),
    ...(jsonTextAt(source, 'apiGroup') === ''
      ? []
      : validateNamed(`${field}.apiGroup`, jsonTextAt(source, 'apiGroup'), validateSubdomain)),
    ...(jsonTextAt(source, 'apiGroup') === '' && kind !== 'PersistentVolumeClaim'
      ? [invalidCause(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : []),
    ...validateOptionalName(`${field}.namespace`, source, validateDnsLabel),
  ];
}

/** The problems of a PersistentVolumeClaim. A bound claim may grow; little else changes. */
export const claimCauses = (object: JsonObject, old: JsonObject | undefined): Cause[] => [
  ...claimSpecCauses(memberOf(object, 'spec'), 'spec'),
  ...(old === undefined ? [] : claimChangeCauses(object, old)),
];

const fixedText =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

function claimChangeCauses(object: JsonObject, old: JsonObject): Cause[] {
  const [before, after] = [memberOf(old, 'spec'), memberOf(object, 'spec')];
  const isBound = jsonTextAt(old, 'status', 'phase') === 'Bound';
  return [
    ...(isEqualJson(fixedClaimPart(before, after, isBound), fixedClaimPart(after, after, isBound))
      ? []
      : [forbiddenCause('spec', fixedText)]),
    ...shrinkCauses(object, old),
    ...validateImmutable('volumeMode', memberOf(before, 'volumeMode'), memberOf(after, 'volumeMode')),
  ];
}

/** The binder fills in the name of the volume, and a class may be assigned later. */
function fixedClaimPart(spec: JsonValue | undefined, after: JsonValue | undefined, isBound: boolean): JsonObject {
  const kept = isObject(spec) ? spec : {};
  const { volumeName, storageClassName, volumeAttributesClassName, resources, ...rest } = kept;
  const { requests, ...others } = isObject(resources) ? resources : {};
  return {
    ...rest,
    volumeName: volumeName ?? memberOf(after, 'volumeName') ?? '',
    storageClassName: storageClassName ?? memberOf(after, 'storageClassName') ?? '',
    ...(isBound ? {} : { volumeAttributesClassName: volumeAttributesClassName ?? '', requests: requests ?? {} }),
    resources: others,
  };
}

function shrinkCauses(object: JsonObject, old: JsonObject): Cause[] {
  const path = ['spec', 'resources', 'requests', 'storage'] as const;
  const [before, after] = [amountNanos(valueAtPath(old, ...path)), amountNanos(valueAtPath(object, ...path))];
  if (before === undefined || (after ?? 0n) >= before) return [];
  const capacity = amountNanos(valueAtPath(old, 'status', 'capacity', 'storage'));
  return capacity !== undefined && (after ?? 0n) > capacity
    ? []
    : [forbiddenCause(path.join('.'), 'field can not be less than status.capacity')];
}

const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** A resource of a claim is its storage, or one with a domain. */
function claimResourceCauses(name: string, field: string): Cause[] {
  const problems = validateNamed(field, name, validateQualifiedName);
  if (problems.length > 0) return problems;
  return name === 'storage' || name.includes('/') ? [] : [notSupportedCause(field, name, ['storage'])];
}

/** The problems of the status of a claim. */
export const claimStatusCauses = (object: JsonObject): Cause[] => [
  ...membersOf(valueAtPath(object, 'status', 'capacity')).flatMap(([name, amount]) =>
    (amountNanos(amount) ?? 0n) < 0n
      ? [invalidCause(`status.capacity[${name}]`, amountText(amount), 'must be a valid resource quantity')]
      : [],
  ),
  ...membersOf(valueAtPath(object, 'status', 'allocatedResourceStatuses')).flatMap(([name, state]) => [
    ...claimResourceCauses(name, 'status.allocatedResourceStatuses'),
    ...(typeof state === 'string' && resizeStates.includes(state)
      ? []
      : [notSupportedCause('status.allocatedResourceStatuses', name, resizeStates)]),
  ]),
  ...membersOf(valueAtPath(object, 'status', 'allocatedResources')).flatMap(([name]) =>
    claimResourceCauses(name, 'status.allocatedResources'),
  ),
];

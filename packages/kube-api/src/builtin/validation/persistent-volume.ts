import { validateSubdomain } from '../../schema/metadata/names.ts';
import { type Cause, forbiddenCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { nodeSelectorCauses } from './affinity.ts';
import {
  checkMember,
  lengthOfList,
  membersOf,
  validateChoice,
  validateImmutable,
  validateNamed,
  validateOptionalName,
  validatePositiveAmount,
} from './checks.ts';
import { driverNameCauses, driverSecretCauses } from './storage-kinds.ts';
import { backstepCauses, needsMembers, sharedSourceChecks } from './volume-sources.ts';
import { volumeUseCauses } from './persistent-volume-claim.ts';

/** The problems of a PersistentVolume. */
export function volumeCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  const modes = memberOf(spec, 'accessModes');
  return [
    ...(lengthOfList(modes) === 0 ? [requiredCause('spec.accessModes')] : []),
    ...volumeUseCauses(modes, 'spec.accessModes'),
    ...capacityCauses(memberOf(spec, 'capacity')),
    ...validateChoice('spec.persistentVolumeReclaimPolicy', memberOf(spec, 'persistentVolumeReclaimPolicy'), [
      'Delete',
      'Recycle',
      'Retain',
    ]),
    ...checkMember(spec, 'nodeAffinity', 'spec', (affinity, field) =>
      isObject(affinity['required'])
        ? nodeSelectorCauses(affinity['required'], `${field}.required`)
        : [requiredCause(`${field}.required`, 'must specify required node constraints')],
    ),
    ...storedAtCauses(spec),
    ...validateOptionalName('spec.storageClassName', spec, validateSubdomain),
    ...attributesClassCauses(memberOf(spec, 'volumeAttributesClassName')),
    ...(memberOf(spec, 'volumeAttributesClassName') !== undefined && memberOf(spec, 'csi') === undefined
      ? [requiredCause('spec.csi', 'has to be specified when using volumeAttributesClassName')]
      : []),
    ...validateChoice('spec.volumeMode', memberOf(spec, 'volumeMode'), ['Block', 'Filesystem']),
    ...(old === undefined ? [] : volumeChangeCauses(memberOf(old, 'spec'), spec)),
  ];
}

function attributesClassCauses(name: JsonValue | undefined): Cause[] {
  const field = 'spec.volumeAttributesClassName';
  if (typeof name !== 'string') return [];
  return name === ''
    ? [requiredCause(field, 'an empty string is disallowed')]
    : validateNamed(field, name, validateSubdomain);
}

function capacityCauses(capacity: JsonValue | undefined): Cause[] {
  const amounts = membersOf(capacity);
  if (amounts.length === 0)
    return [requiredCause('spec.capacity'), notSupportedCause('spec.capacity', capacity ?? null, ['storage'])];
  return [
    ...(amounts.length === 1 && amounts[0]?.[0] === 'storage'
      ? []
      : [notSupportedCause('spec.capacity', capacity ?? {}, ['storage'])]),
    ...amounts.flatMap(([name, amount]) => validatePositiveAmount(`spec.capacity[${name}]`, amount)),
  ];
}

/** The members that say where the data of a volume is. Of several, the first one is checked. */
const sourceOrder = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
];

/** Some members are called otherwise in refusals. */
const printedSource = (key: string): string => (key === 'gcePersistentDisk' ? 'persistentDisk' : key);

const printedOther = (key: string): string => (key === 'cephfs' ? 'cephFS' : printedSource(key));

const secretMembers = [
  'controllerPublishSecretRef',
  'nodePublishSecretRef',
  'controllerExpandSecretRef',
  'nodeExpandSecretRef',
];

const driverSourceCauses = (source: JsonObject, field: string): Cause[] => [
  ...(jsonTextAt(source, 'driver') === '' ? [] : driverNameCauses(`${field}.driver`, jsonTextAt(source, 'driver'))),
  ...secretMembers.flatMap((key) => checkMember(source, key, field, driverSecretCauses)),
];

function sourceCauses(key: string, source: JsonValue | undefined): Cause[] {
  const field = `spec.${printedSource(key)}`;
  if (!isObject(source)) return [];
  if (key === 'csi')
    return [...needsMembers('driver', 'volumeHandle')(source, field), ...driverSourceCauses(source, field)];
  if (key === 'local') {
    const path = jsonTextAt(source, 'path');
    return path === '' ? [requiredCause(`${field}.path`)] : backstepCauses(path, `${field}.path`);
  }
  return (sharedSourceChecks.get(key) ?? (() => []))(source, field, { isPersistent: true });
}

function storedAtCauses(spec: JsonValue | undefined): Cause[] {
  const [first, ...others] = sourceOrder.filter((key) => memberOf(spec, key) !== undefined);
  if (first === undefined) return [requiredCause('spec', 'must specify a volume type')];
  return [
    ...sourceCauses(first, memberOf(spec, first)),
    ...others.map((key) => forbiddenCause(`spec.${printedOther(key)}`, 'may not specify more than 1 volume type')),
    ...(first === 'local' && memberOf(spec, 'nodeAffinity') === undefined
      ? [requiredCause('spec.nodeAffinity', 'Local volume requires node affinity')]
      : []),
  ];
}

/** A driver that had no secret for growing may get one. */
function withoutNewExpandSecret(before: JsonObject, after: JsonObject): JsonObject {
  const { csi } = after;
  if (!isObject(csi) || !isObject(before['csi']) || before['csi']['controllerExpandSecretRef'] !== undefined)
    return after;
  const { controllerExpandSecretRef: _new, ...kept } = csi;
  return { ...after, csi: kept };
}

function volumeChangeCauses(before: JsonValue | undefined, after: JsonValue | undefined): Cause[] {
  const sources = (spec: JsonValue | undefined): JsonObject =>
    Object.fromEntries(membersOf(spec).filter(([key]) => sourceOrder.includes(key)));
  return [
    ...(isEqualJson(sources(before), withoutNewExpandSecret(sources(before), sources(after)))
      ? []
      : [forbiddenCause('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')]),
    ...validateImmutable('volumeMode', memberOf(before, 'volumeMode'), memberOf(after, 'volumeMode')),
    ...(memberOf(before, 'nodeAffinity') === undefined
      ? []
      : validateImmutable('spec.nodeAffinity', memberOf(before, 'nodeAffinity'), memberOf(after, 'nodeAffinity'))),
  ];
}

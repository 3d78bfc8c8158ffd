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
  validateOptionalName,
  validatePositiveAmount,
  validatePresence,
} from './checks.ts';
import { driverNameCauses, driverSecretCauses } from './storage-kinds.ts';
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
    ...(memberOf(spec, 'volumeAttributesClassName') !== undefined && memberOf(spec, 'csi') === undefined
      ? [requiredCause('spec.csi', 'has to be specified when using volumeAttributesClassName')]
      : []),
    ...validateChoice('spec.volumeMode', memberOf(spec, 'volumeMode'), ['Block', 'Filesystem']),
    ...(old === undefined ? [] : volumeChangeCauses(memberOf(old, 'spec'), spec)),
  ];
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

/** The members that say where the data of a volume is, and what each of them must say. */
const sourceNeeds: ReadonlyMap<string, readonly string[]> = new Map([
  ['hostPath', ['path']],
  ['gcePersistentDisk', ['pdName']],
  ['awsElasticBlockStore', ['volumeID']],
  ['glusterfs', ['endpoints', 'path']],
  ['flocker', []],
  ['nfs', ['server', 'path']],
  ['rbd', ['image']],
  ['quobyte', ['registry', 'volume']],
  ['cephfs', []],
  ['iscsi', ['targetPortal', 'iqn']],
  ['cinder', ['volumeID']],
  ['fc', []],
  ['flexVolume', ['driver']],
  ['azureFile', ['secretName', 'shareName']],
  ['vsphereVolume', ['volumePath']],
  ['photonPersistentDisk', ['pdID']],
  ['portworxVolume', ['volumeID']],
  ['azureDisk', ['diskName', 'diskURI']],
  ['scaleIO', ['gateway', 'system', 'volumeName']],
  ['local', ['path']],
  ['storageos', []],
  ['csi', ['driver', 'volumeHandle']],
]);

/** Some members are called otherwise in refusals. */
const printedSource = (field: string): string =>
  field.replace('.cephfs', '.cephFS').replace('.gcePersistentDisk', '.persistentDisk');

const secretMembers = [
  'controllerPublishSecretRef',
  'nodeStageSecretRef',
  'nodePublishSecretRef',
  'controllerExpandSecretRef',
  'nodeExpandSecretRef',
];

const driverSourceCauses = (source: JsonObject, field: string): Cause[] => [
  ...(jsonTextAt(source, 'driver') === '' ? [] : driverNameCauses(`${field}.driver`, jsonTextAt(source, 'driver'))),
  ...secretMembers.flatMap((key) => checkMember(source, key, field, driverSecretCauses)),
];

function storedAtCauses(spec: JsonValue | undefined): Cause[] {
  const [first, ...others] = [...sourceNeeds.keys()].filter((key) => memberOf(spec, key) !== undefined);
  if (first === undefined) return [requiredCause('spec', 'must specify a volume type')];
  return [
    ...checkMember(spec, first, 'spec', (source, field) =>
      (sourceNeeds.get(first) ?? []).flatMap((key) =>
        validatePresence(`${printedSource(field)}.${key}`, memberOf(source, key)),
      ),
    ),
    ...(first === 'csi' ? checkMember(spec, 'csi', 'spec', driverSourceCauses) : []),
    ...others.map((key) => forbiddenCause(printedSource(`spec.${key}`), 'may not specify more than 1 volume type')),
    ...(first === 'local' && memberOf(spec, 'nodeAffinity') === undefined
      ? [requiredCause('spec.nodeAffinity', 'Local volume requires node affinity')]
      : []),
  ];
}

function volumeChangeCauses(before: JsonValue | undefined, after: JsonValue | undefined): Cause[] {
  const sources = (spec: JsonValue | undefined): JsonObject =>
    Object.fromEntries(membersOf(spec).filter(([key]) => sourceNeeds.has(key)));
  return [
    ...(isEqualJson(sources(before), sources(after))
      ? []
      : [forbiddenCause('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')]),
    ...validateImmutable('volumeMode', memberOf(before, 'volumeMode'), memberOf(after, 'volumeMode')),
    ...(memberOf(before, 'nodeAffinity') === undefined
      ? []
      : validateImmutable('spec.nodeAffinity', memberOf(before, 'nodeAffinity'), memberOf(after, 'nodeAffinity'))),
  ];
}

import { readOwn } from '@nodewright/apis';
import {
  isEqualJson,
  isObject,
  type JsonObject,
  type JsonValue,
  jsonTextAt,
  memberOf,
  valueAtPath,
} from '../schema/json.ts';
import type { GroupVersionKind } from '../schema/definitions.ts';
import { tellUnknownFormats } from './format-warnings.ts';
import { amountNanos, amountText, jsonObjectsIn } from './validation/checks.ts';

export type WarnedWrite = {
  readonly type: GroupVersionKind;
  readonly object: JsonObject;
  /** The stored object of an update. */
  readonly old?: JsonObject;
};

/** What a server tells of an object that it takes: members that do not do what their writer may expect. */
export function builtinWarnings({ type, object, old }: WarnedWrite): string[] {
  const place = readOwn(warnedPodPlaces, `${type.group}/${type.kind}`);
  if (place !== undefined) {
    if (type.kind === 'ReplicationController' && old !== undefined) return [];
    const [pod, before] = [podAt(object, place), old && podAt(old, place)];
    return isEqualJson(memberOf(pod, 'spec'), memberOf(before, 'spec')) ? [] : warningsOfPod(pod, place);
  }
  return (readOwn(kindWarnings, `${type.group}/${type.kind}`) ?? (() => []))(object, old);
}

/** Where the pod of a kind is. */
const warnedPodPlaces: Readonly<Record<string, readonly string[]>> = {
  '/Pod': [],
  '/PodTemplate': ['template'],
  '/ReplicationController': ['spec', 'template'],
  'apps/Deployment': ['spec', 'template'],
  'apps/ReplicaSet': ['spec', 'template'],
  'apps/StatefulSet': ['spec', 'template'],
  'apps/DaemonSet': ['spec', 'template'],
  'batch/Job': ['spec', 'template'],
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template'],
};

const podAt = (object: JsonObject, place: readonly string[]): JsonValue | undefined => valueAtPath(object, ...place);

const warningsOfPod = (pod: JsonValue | undefined, place: readonly string[]): string[] => {
  const [spec, field] = [memberOf(pod, 'spec'), [...place, 'spec'].join('.')];
  return [
    ...selectorWarnings(spec, field),
    ...secretNameWarnings(spec, field),
    ...environmentWarnings(spec, field),
    ...portWarnings(spec, field),
    ...volumeWarnings(spec, field),
    ...aliasWarnings(spec, field),
    ...fractionWarnings(spec, field),
  ];
};

/** Volume types that no longer work. */
const oldVolumes: Readonly<Record<string, readonly [name: string, since: string]>> = {
  photonPersistentDisk: ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  gitRepo: ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  scaleIO: ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  flocker: ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  storageos: ['storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  quobyte: ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  glusterfs: ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  cephfs: ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  rbd: ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
};

const volumeWarnings = (spec: JsonValue | undefined, field: string): string[] =>
  placedItems(spec, 'volumes', field).flatMap(({ item, at }) => [
    ...Object.entries(oldVolumes).flatMap(([key, [name, since]]) =>
      isObject(memberOf(item, key)) ? [`${at}.${name}: ${since}`] : [],
    ),
    ...jsonObjectsIn(memberOf(item['projected'], 'sources')).flatMap((source) =>
      Object.keys(source).length === 0
        ? [`volume ${JSON.stringify(jsonTextAt(item, 'name'))} (Projected) has no sources provided`]
        : [],
    ),
  ]);

function aliasWarnings(spec: JsonValue | undefined, field: string): string[] {
  const seen = new Set<string>();
  return placedItems(spec, 'hostAliases', field).flatMap(({ item, at }) => {
    const ip = jsonTextAt(item, 'ip');
    const isRepeated = seen.has(ip);
    seen.add(ip);
    return isRepeated ? [`${at}.ip: duplicate ip ${JSON.stringify(ip)}`] : [];
  });
}

/** Parts of a byte. */
const fractionWarnings = (spec: JsonValue | undefined, field: string): string[] =>
  ['initContainers', 'containers'].flatMap((list) =>
    placedItems(spec, list, field).flatMap(({ item, at }) =>
      ['memory', 'ephemeral-storage'].flatMap((name) =>
        ['limits', 'requests'].flatMap((key) =>
          fractionOf(valueAtPath(item, 'resources', key, name), `${at}.resources.${key}[${name}]`),
        ),
      ),
    ),
  );

const nanosOfByte = 1_000_000_000n;

function fractionOf(amount: JsonValue | undefined, field: string): string[] {
  const nanos = amountNanos(amount);
  return amount === undefined || nanos === undefined || nanos % nanosOfByte === 0n
    ? []
    : [`${field}: fractional byte value ${JSON.stringify(amountText(amount))} is invalid, must be an integer`];
}

type PlacedItem = { readonly item: JsonObject; readonly at: string };

const placedItems = (object: JsonValue | undefined, key: string, field: string): PlacedItem[] =>
  jsonObjectsIn(memberOf(object, key)).map((item, index) => ({ item, at: `${field}.${key}[${index}]` }));

const containersOf = (spec: JsonValue | undefined, field: string): PlacedItem[] =>
  ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => placedItems(spec, list, field));

const selectsNothing = (at: string): string => `${at}.labelSelector: a null labelSelector results in matching no pod`;

/** Rules about other pods that no pod meets. */
function selectorWarnings(spec: JsonValue | undefined, field: string): string[] {
  const hasNone = ({ item }: PlacedItem): boolean => !isObject(item['labelSelector']);
  const affinities = ['podAffinity', 'podAntiAffinity'].flatMap((key) => {
    const [rules, at] = [valueAtPath(spec, 'affinity', key), `${field}.affinity.${key}`];
    return [
      ...placedItems(rules, 'requiredDuringSchedulingIgnoredDuringExecution', at),
      ...placedItems(rules, 'preferredDuringSchedulingIgnoredDuringExecution', at).map(({ item, at: place }) => ({
        item: isObject(item['podAffinityTerm']) ? item['podAffinityTerm'] : {},
        at: `${place}.podAffinityTerm`,
      })),
    ];
  });
  return [...placedItems(spec, 'topologySpreadConstraints', field), ...affinities]
    .filter(hasNone)
    .map(({ at }) => selectsNothing(at));
}

function secretNameWarnings(spec: JsonValue | undefined, field: string): string[] {
  const seen = new Set<string>();
  return placedItems(spec, 'imagePullSecrets', field).flatMap(({ item, at }) => {
    const name = jsonTextAt(item, 'name');
    const isRepeated = seen.has(name);
    seen.add(name);
    if (name === '') return [`${at}.name: invalid empty name ""`];
    return isRepeated ? [`${at}.name: duplicate name ${JSON.stringify(name)}`] : [];
  });
}

/** A variable that is defined again and does not build on what it was. */
const environmentWarnings = (spec: JsonValue | undefined, field: string): string[] =>
  containersOf(spec, field).flatMap(({ item: container, at }) => {
    const seen = new Set<string>();
    return placedItems(container, 'env', at).flatMap(({ item, at: place }) => {
      const [name, value] = [jsonTextAt(item, 'name'), jsonTextAt(item, 'value')];
      const isRepeated = seen.has(name);
      seen.add(name);
      const reference = `$(${name})`;
      const buildsOnIt = item['valueFrom'] === undefined && value !== reference && value.includes(reference);
      return isRepeated && !buildsOnIt
        ? [`${place}: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`]
        : [];
    });
  });

/** A port as a server prints it for itself. */
const goTextOfPort = (port: JsonObject): string =>
  `{Name:${jsonTextAt(port, 'name')} HostPort:${Number(port['hostPort'] ?? 0)} ContainerPort:${Number(port['containerPort'] ?? 0)} Protocol:${jsonTextAt(port, 'protocol')} HostIP:${jsonTextAt(port, 'hostIP')}}`;

const hostOf = ({ item }: PlacedItem) => ({
  address: jsonTextAt(item, 'hostIP'),
  port: Number(item['hostPort'] ?? 0),
});

function portWarnings(spec: JsonValue | undefined, field: string): string[] {
  const seen = new Map<string, PlacedItem[]>();
  const ports = containersOf(spec, field).flatMap(({ item, at }) => placedItems(item, 'ports', at));
  return ports.flatMap((port) => {
    const key = `${Number(port.item['containerPort'] ?? 0)}/${jsonTextAt(port.item, 'protocol')}`;
    const others = seen.get(key) ?? [];
    seen.set(key, [...others, port]);
    const { address, port: hostPort } = hostOf(port);
    return [
      ...(address !== '' && hostPort === 0
        ? [`${port.at}: hostIP set without hostPort: ${goTextOfPort(port.item)}`]
        : []),
      ...others.flatMap((other) => overlapWarning(port, other)),
    ];
  });
}

function overlapWarning(port: PlacedItem, other: PlacedItem): string[] {
  const [one, two] = [hostOf(port), hostOf(other)];
  if (one.address === two.address && one.port === two.port)
    return [`${port.at}: duplicate port definition with ${other.at}`];
  if (one.port === 0 || two.port === 0) return [`${port.at}: overlapping port definition with ${other.at}`];
  return one.port === two.port && (one.address === '') !== (two.address === '')
    ? [`${port.at}: dangerously ambiguous port definition with ${other.at}`]
    : [];
}

const kindWarnings: Readonly<Record<string, (object: JsonObject, old: JsonObject | undefined) => string[]>> = {
  '/Node': ({ spec }) =>
    jsonTextAt(spec, 'externalID') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes'],
  '/PersistentVolume': ({ spec }) =>
    jsonTextAt(spec, 'persistentVolumeReclaimPolicy') === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : [],
  '/PersistentVolumeClaim': ({ spec }) =>
    fractionOf(valueAtPath(spec, 'resources', 'requests', 'storage'), 'spec.resources.requests[storage]'),
  '/Service': ({ spec }) =>
    jsonTextAt(spec, 'externalName') !== '' && jsonTextAt(spec, 'type') !== 'ExternalName'
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : [],
  'apiextensions.k8s.io/CustomResourceDefinition': tellUnknownFormats,
  'discovery.k8s.io/EndpointSlice': ({ addressType }) =>
    addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : [],
  'storage.k8s.io/CSIDriver': ({ spec }) =>
    jsonObjectsIn(memberOf(spec, 'tokenRequests')).length > 0 &&
    memberOf(spec, 'serviceAccountTokenInSecrets') === undefined
      ? [
          'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
        ]
      : [],
};

import { validateDnsLabel } from '../../schema/metadata/names.ts';
import { validatePortName } from '../../schema/metadata/port-names.ts';
import { type Cause, duplicateCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import {
  claimUseCauses,
  containerRestartCauses,
  mountWayCauses,
  notFoundCause,
  podClaimNames,
  resizePolicyCauses,
  volumeDeviceCauses,
} from './container-parts.ts';
import {
  checkEachItem,
  checkMember,
  forbidMembers,
  jsonObjectsIn,
  validateChoice,
  validateNamed,
  validatePort,
  validatePresence,
  validateUniqueNames,
} from './checks.ts';
import { environmentCauses } from './environment.ts';
import { probeCauses } from './probes.ts';
import { resourceCauses } from './container-resources.ts';
import { containerSecurityCauses } from './security-context.ts';

/** The problems of a pod's containers. */
export function containerCauses(spec: JsonObject, field: string): Cause[] {
  const containers = jsonObjectsIn(spec['containers']);
  const pod = podContextOf(spec);
  return [
    ...(containers.length === 0 ? [requiredCause(`${field}.containers`)] : []),
    ...checkEachItem(spec, 'containers', field, (container, place) => [
      ...commonContainerCauses(container, { field: place, pod }),
      ...containerRestartCauses(container, place),
      ...probeCauses(container, place, pod.graceSeconds),
    ]),
    ...validateUniqueNames(`${field}.containers`, containers),
    ...hostPortCauses(spec, field),
    ...checkEachItem(spec, 'initContainers', field, (container, place) => [
      ...commonContainerCauses(container, { field: place, pod }),
      ...containerRestartCauses(container, place),
      ...firstContainerCauses(container, place, pod.graceSeconds),
    ]),
    ...validateUniqueNames(`${field}.initContainers`, jsonObjectsIn(spec['initContainers'])),
    ...sharedNameCauses(spec, field),
  ];
}

/** What the checks of a container need of its pod. */
export function podContextOf(spec: JsonObject): PodContext {
  const volumes = new Set(jsonObjectsIn(spec['volumes']).map((volume) => jsonTextAt(volume, 'name')));
  return {
    volumes,
    claims: podClaimNames(spec),
    isOnHostNetwork: spec['hostNetwork'] === true,
    isOwnUser: spec['hostUsers'] === false,
    neverRestarts: spec['restartPolicy'] === 'Never',
    graceSeconds: Number(spec['terminationGracePeriodSeconds'] ?? 30),
  };
}

type PodContext = {
  readonly volumes: ReadonlySet<string>;
  readonly claims: ReadonlySet<string>;
  readonly isOnHostNetwork: boolean;
  readonly isOwnUser: boolean;
  readonly neverRestarts: boolean;
  readonly graceSeconds: number;
};
type ContainerContext = { readonly field: string; readonly pod: PodContext };

/** A container that runs before the others has a name of its own. */
function sharedNameCauses(spec: JsonObject, field: string): Cause[] {
  const names = new Set(jsonObjectsIn(spec['containers']).map((container) => jsonTextAt(container, 'name')));
  return checkEachItem(spec, 'initContainers', field, (container, place) => {
    const name = jsonTextAt(container, 'name');
    return name !== '' && names.has(name) ? [duplicateCause(`${place}.name`, name)] : [];
  });
}

/** A container that ends before the others start is not watched. */
const firstContainerCauses = (container: JsonObject, field: string, graceSeconds: number): Cause[] =>
  container['restartPolicy'] === 'Always'
    ? probeCauses(container, field, graceSeconds)
    : forbidMembers(
        container,
        field,
        ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'],
        'may not be set for init containers without restartPolicy=Always',
      );

/** The problems that containers of all kinds have in common. */
export function commonContainerCauses(container: JsonObject, { field, pod }: ContainerContext): Cause[] {
  const name = jsonTextAt(container, 'name');
  return [
    ...(name === '' ? [requiredCause(`${field}.name`)] : validateNamed(`${field}.name`, name, validateDnsLabel)),
    ...imageCauses(jsonTextAt(container, 'image'), `${field}.image`),
    ...validateChoice(`${field}.terminationMessagePolicy`, container['terminationMessagePolicy'], [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...validateChoice(`${field}.imagePullPolicy`, container['imagePullPolicy'], ['Always', 'IfNotPresent', 'Never']),
    ...containerPortCauses(container, { field, pod }),
    ...environmentCauses(container, field, pod.volumes),
    ...mountCauses(container, { field, pod }),
    ...resourceCauses(container, `${field}.resources`),
    ...containerSecurityCauses(container, field),
    ...procMountCauses(container, { field, pod }),
    ...volumeDeviceCauses(container, { field, volumes: pod.volumes }),
    ...claimUseCauses(container, field, pod.claims),
    ...resizePolicyCauses(container, field, pod.neverRestarts),
  ];
}

const procMountCauses = (container: JsonObject, { field, pod }: ContainerContext): Cause[] => {
  const mount = memberOf(container['securityContext'], 'procMount');
  const place = `${field}.securityContext.procMount`;
  return [
    ...validateChoice(place, mount, ['Default', 'Unmasked']),
    ...(mount === 'Unmasked' && !pod.isOwnUser
      ? [invalidCause(place, 'Unmasked', '`hostUsers` must be false to use `Unmasked`')]
      : []),
  ];
};

const imageCauses = (image: string, field: string): Cause[] => (image === '' ? [requiredCause(field)] : []);

/** The problems of the images of a pod. A template may leave them to who makes pods of it. */
export const podImageCauses = (spec: JsonValue | undefined, field: string): Cause[] => [
  ...['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) =>
    checkEachItem(spec, list, field, (container, place) => {
      const image = jsonTextAt(container, 'image');
      return image.trim() === image
        ? []
        : [invalidCause(`${place}.image`, image, 'must not have leading or trailing whitespace')];
    }),
  ),
  ...checkEachItem(spec, 'volumes', field, (volume, place) =>
    checkMember(volume, 'image', place, (source, inner) => validatePresence(`${inner}.reference`, source['reference'])),
  ),
];

const containerPortCauses = (container: JsonObject, { field, pod }: ContainerContext): Cause[] => [
  ...checkEachItem(container, 'ports', field, (port, place) => [
    ...(jsonTextAt(port, 'name') === ''
      ? []
      : validateNamed(`${place}.name`, jsonTextAt(port, 'name'), validatePortName)),
    ...(port['containerPort'] === undefined || port['containerPort'] === 0
      ? [requiredCause(`${place}.containerPort`)]
      : validatePort(`${place}.containerPort`, port['containerPort'])),
    ...(port['hostPort'] === 0 ? [] : validatePort(`${place}.hostPort`, port['hostPort'])),
    ...(port['protocol'] === undefined
      ? [requiredCause(`${place}.protocol`)]
      : validateChoice(`${place}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP'])),
    ...(pod.isOnHostNetwork && port['hostPort'] !== undefined && port['hostPort'] !== port['containerPort']
      ? [
          invalidCause(
            `${place}.containerPort`,
            port['containerPort'] ?? 0,
            'must match `hostPort` when `hostNetwork` is true',
          ),
        ]
      : []),
  ]),
  ...validateUniqueNames(`${field}.ports`, jsonObjectsIn(container['ports'])),
];

/** Two containers of a pod cannot have the same port of the node. */
function hostPortCauses(spec: JsonObject, field: string): Cause[] {
  const taken = new Set<string>();
  return checkEachItem(spec, 'containers', field, (container, place) =>
    checkEachItem(container, 'ports', place, (port, inner) => {
      const { hostPort } = port;
      if (typeof hostPort !== 'number' || hostPort === 0) return [];
      const text = `${jsonTextAt(port, 'protocol')}/${jsonTextAt(port, 'hostIP')}/${hostPort}`;
      const isTaken = taken.has(text);
      taken.add(text);
      return isTaken ? [duplicateCause(`${inner}.hostPort`, text)] : [];
    }),
  );
}

function mountCauses(container: JsonObject, { field, pod }: ContainerContext): Cause[] {
  const paths = new Set<string>();
  return jsonObjectsIn(container['volumeMounts']).flatMap((mount, index): Cause[] => {
    const place = `${field}.volumeMounts[${index}]`;
    const [name, path] = [jsonTextAt(mount, 'name'), jsonTextAt(mount, 'mountPath')];
    const isRepeated = paths.has(path);
    paths.add(path);
    return [
      ...(name === '' ? [requiredCause(`${place}.name`)] : []),
      ...(pod.volumes.has(name) ? [] : [notFoundCause(`${place}.name`, name)]),
      ...validatePresence(`${place}.mountPath`, mount['mountPath']),
      ...(isRepeated ? [invalidCause(`${place}.mountPath`, path, 'must be unique')] : []),
      ...mountWayCauses(mount, { field, index }, container),
      ...subPathCauses(mount, place),
    ];
  });
}

function subPathCauses(mount: JsonObject, field: string): Cause[] {
  const both = jsonTextAt(mount, 'subPath') !== '' && jsonTextAt(mount, 'subPathExpr') !== '';
  return [
    ...['subPath', 'subPathExpr'].flatMap((key) => localPathCauses(jsonTextAt(mount, key), `${field}.${key}`)),
    ...(both
      ? [
          invalidCause(
            `${field}.subPathExpr`,
            jsonTextAt(mount, 'subPathExpr'),
            'subPathExpr and subPath are mutually exclusive',
          ),
        ]
      : []),
  ];
}

const localPathCauses = (path: string, field: string): Cause[] => [
  ...(path.startsWith('/') ? [invalidCause(field, path, 'must be a relative path')] : []),
  ...(path.split('/').includes('..') ? [invalidCause(field, path, "must not contain '..'")] : []),
];

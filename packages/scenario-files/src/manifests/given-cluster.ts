import {
  apiVersionOf,
  convertManifest,
  type EC2NodeClass,
  type KubernetesObject,
  type ResourceType,
  byNumberOf,
} from '@nodewright/apis';
import type { GivenObject } from './manifest-files.ts';
import { findServedType } from '../reading/served-types.ts';

/** An object that the cluster gets, and its type. */
export type TypedObject = GivenObject & { readonly type: ResourceType };

export type GivenCluster = {
  /** In the order in which they are created. */
  readonly objects: readonly TypedObject[];
  readonly nodeClasses: readonly EC2NodeClass[];
  readonly remarks: readonly string[];
};

/** What an embedded cluster has already, or what would stand in its way. */
const passedOverKinds: ReadonlySet<string> = new Set([
  'CustomResourceDefinition',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'APIService',
  'Node',
  'NodeClaim',
]);

/** Sorts what is given: Karpenter's kinds in v1, the last of each name, in the order of their needs. */
export function sortGivenObjects(given: readonly GivenObject[]): GivenCluster {
  const remarks: string[] = [];
  const unknown = new Map<string, number>();
  const objects = new Map<string, TypedObject>();
  for (const { object, file } of given) {
    const current = convertManifest(object);
    const type = findServedType(current.kind ?? '', current.apiVersion);
    const reason = leaveOut(current, type);
    if (reason !== undefined) remarks.push(`${file}: ${reason}`);
    else if (type === undefined) countUnknown(unknown, current);
    else {
      const placed = placeObject(current, type);
      const identity = identityOf(placed, type);
      const earlier = objects.get(identity);
      if (earlier !== undefined && earlier.file !== file) remarks.push(describeTwice(placed, earlier.file, file));
      objects.set(identity, { object: placed, file, type });
    }
  }
  if (unknown.size > 0)
    remarks.push(
      `kinds that the cluster does not know are left out: ${[...unknown].map(([kind, count]) => `${kind} (${count})`).join(', ')}`,
    );
  const sorted = [...objects.values()].toSorted(byNumberOf(({ type }) => rankOfKind(type)));
  const nodeClasses = sorted
    .filter(({ type }) => type.kind === 'EC2NodeClass')
    .map(({ object }) => object as EC2NodeClass);
  return { objects: sorted, nodeClasses, remarks };
}

const describeTwice = ({ kind, metadata }: KubernetesObject, earlier: string, last: string): string =>
  `${kind} ${metadata.name} is in ${earlier} and in ${last}: the last one counts`;

const oldKinds: ReadonlySet<string> = new Set(['Provisioner', 'AWSNodeTemplate']);

function leaveOut(object: KubernetesObject, type: ResourceType | undefined): string | undefined {
  const { kind = '', metadata } = object;
  if (oldKinds.has(kind))
    return `${kind} ${metadata?.name ?? ''} is of before v1beta1 and is left out; nodewright convert -f makes a NodePool and an EC2NodeClass of it`;
  if (type !== undefined && passedOverKinds.has(kind)) return `${kind} ${metadata?.name ?? ''} is left out`;
  const isController = kind === 'Deployment' && metadata?.labels?.['app.kubernetes.io/name'] === 'karpenter';
  return isController
    ? `Deployment ${metadata.name} is left out: the controller runs in the scenario already`
    : undefined;
}

function countUnknown(unknown: Map<string, number>, { kind = '' }: KubernetesObject): void {
  unknown.set(kind, (unknown.get(kind) ?? 0) + 1);
}

/** A namespace as kubectl adds it, and nothing that only a server writes. */
function placeObject(object: KubernetesObject, { namespaced }: ResourceType): KubernetesObject {
  const { status: _status, ...rest } = object as KubernetesObject & { readonly status?: unknown };
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _created,
    ...metadata
  } = rest.metadata ?? { name: '' };
  return { ...rest, metadata: namespaced ? { namespace: 'default', ...metadata } : metadata };
}

const identityOf = ({ metadata }: KubernetesObject, type: ResourceType): string =>
  `${apiVersionOf(type)} ${type.kind} ${metadata.namespace ?? ''}/${metadata.name ?? metadata.generateName ?? ''}`;

/** What others need comes first, and pods come last. */
const kindOrder = [
  'Namespace',
  'PriorityClass',
  'StorageClass',
  'ServiceAccount',
  'EC2NodeClass',
  'NodeRolloutPolicy',
  'ImageRule',
  'NodePool',
  'PodDisruptionBudget',
  'Service',
];
const lastKinds = ['DaemonSet', 'StatefulSet', 'Deployment', 'ReplicaSet', 'Job', 'Pod'];

const rankOfKind = ({ kind }: ResourceType): number => {
  const [first, last] = [kindOrder.indexOf(kind), lastKinds.indexOf(kind)];
  if (first !== -1) return first;
  return last === -1 ? kindOrder.length : kindOrder.length + 1 + last;
};

import { isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf, valueAtPath } from '../schema/json.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { Access } from './access.ts';
import { nodeRules } from './node-rules.ts';
import { nodeOfUser } from './node-user.ts';
import { type ReadableStore, ruleAllows } from './rbac.ts';
import type { User } from './user.ts';

/** The decision about a node. A reason is part of the refusal's message. */
export type NodeDecision = { readonly isAllowed: boolean; readonly reason?: string };

type ResourceAccess = Extract<Access, { readonly resource: unknown }>;

/**
 * Decides what a node may do: read what the pods on it refer to, and write its own objects.
 * @returns undefined for users that are no nodes
 */
export function decideForNode(user: User, access: Access, store: ReadableStore): NodeDecision | undefined {
  const node = nodeOfUser(user);
  if (node === undefined) return undefined;
  const isRuled = nodeRules.some((rule) => ruleAllows(rule, access));
  if (!isRuled || !('resource' in access)) return { isAllowed: false };
  const reason = obstacleFor(node, access, store);
  return reason === undefined ? { isAllowed: true } : { isAllowed: false, reason };
}

function obstacleFor(node: string, access: ResourceAccess, store: ReadableStore): string | undefined {
  const { group, plural, subresource } = access.resource;
  const written = `${plural}${subresource === '' ? '' : `/${subresource}`}`;
  switch (group === '' ? written : `${written}.${group}`) {
    case 'secrets':
    case 'configmaps':
    case 'persistentvolumeclaims':
    case 'persistentvolumeclaims/status':
    case 'serviceaccounts/token':
      return unrelated(node, access, store, plural);
    case 'persistentvolumes':
      return unrelatedVolume(node, access, store);
    case 'volumeattachments.storage.k8s.io':
      return unrelatedAttachment(node, access, store);
    case 'leases.coordination.k8s.io':
      return leaseObstacle(node, access);
    case 'csinodes.storage.k8s.io':
      return access.verb === 'create' || access.resource.name === node
        ? undefined
        : `can only access CSINode with the same name as the requesting node`;
    default:
      return undefined;
  }
}

const noRelation = (node: string): string => `no relationship found between node ${quoted(node)} and this object`;
const quoted = (name: string): string => `'${name}'`;

function unrelated(
  node: string,
  { resource }: ResourceAccess,
  store: ReadableStore,
  plural: string,
): string | undefined {
  if (resource.name === '') return 'No Object name found';
  const isNamed = podsOn(node, store, resource.namespace).some((pod) => namesOf(pod, plural).includes(resource.name));
  return isNamed ? undefined : noRelation(node);
}

function unrelatedVolume(node: string, { resource }: ResourceAccess, store: ReadableStore): string | undefined {
  const volume = store.collection('persistentvolumes').get({ namespace: '', name: resource.name });
  const claim = (volume?.['spec'] as { readonly claimRef?: { namespace?: string; name?: string } } | undefined)
    ?.claimRef;
  const isUsed = podsOn(node, store, claim?.namespace ?? '').some((pod) =>
    namesOf(pod, 'persistentvolumeclaims').includes(claim?.name ?? ''),
  );
  return isUsed ? undefined : noRelation(node);
}

function unrelatedAttachment(node: string, { resource }: ResourceAccess, store: ReadableStore): string | undefined {
  const found = store.collection('volumeattachments.storage.k8s.io').get({ namespace: '', name: resource.name });
  const spec = found?.['spec'] as { readonly nodeName?: string } | undefined;
  return spec?.nodeName === node ? undefined : noRelation(node);
}

function leaseObstacle(node: string, { verb, resource }: ResourceAccess): string | undefined {
  if (resource.namespace !== 'kube-node-lease') {
    return 'can only access leases in the "kube-node-lease" system namespace';
  }
  return verb === 'create' || resource.name === node
    ? undefined
    : 'can only access node lease with the same name as the requesting node';
}

const podsOn = (node: string, store: ReadableStore, namespace: string): readonly ApiObject[] =>
  namespace === ''
    ? []
    : store
        .collection('pods')
        .list(namespace)
        .filter((pod) => (pod['spec'] as { readonly nodeName?: string } | undefined)?.nodeName === node);

/** The names of the objects of one kind that a pod refers to. */
function namesOf(pod: ApiObject, plural: string): readonly string[] {
  const spec = pod['spec'] as JsonObject;
  switch (plural) {
    case 'serviceaccounts':
      return [jsonTextAt(spec, 'serviceAccountName')];
    case 'persistentvolumeclaims':
      return volumesOf(spec).flatMap((volume) => [
        jsonTextAt(volume, 'persistentVolumeClaim', 'claimName'),
        ...(volume['ephemeral'] === undefined ? [] : [`${pod.metadata.name}-${jsonTextAt(volume, 'name')}`]),
      ]);
    case 'configmaps':
      return namedBy(spec, { volume: 'configMap', key: 'configMapKeyRef', from: 'configMapRef' });
    default:
      return [
        ...namedBy(spec, { volume: 'secret', key: 'secretKeyRef', from: 'secretRef' }),
        ...objectsAt(spec, 'imagePullSecrets').map((each) => jsonTextAt(each, 'name')),
      ];
  }
}

const objectsAt = (value: JsonValue | undefined, key: string): readonly JsonObject[] => {
  const list = memberOf(value, key);
  return Array.isArray(list) ? list.filter(isObject) : [];
};

const volumesOf = (spec: JsonObject): readonly JsonObject[] => objectsAt(spec, 'volumes');

type ReferenceMembers = { readonly volume: string; readonly key: string; readonly from: string };

function namedBy(spec: JsonObject, { volume, key, from }: ReferenceMembers): readonly string[] {
  const sources = volumesOf(spec).flatMap((each) => [each, ...objectsAt(each['projected'], 'sources')]);
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => objectsAt(spec, list));
  return [
    ...sources.flatMap((each) => [jsonTextAt(each, volume, 'name'), jsonTextAt(each, volume, 'secretName')]),
    ...containers
      .flatMap((each) => objectsAt(each, 'env'))
      .map((each) => jsonTextAt(valueAtPath(each, 'valueFrom', key), 'name')),
    ...containers.flatMap((each) => objectsAt(each, 'envFrom')).map((each) => jsonTextAt(each, from, 'name')),
  ];
}

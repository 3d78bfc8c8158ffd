import { readOwn } from '@nodewright/apis';
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
  const found = 'resource' in access ? dividedAccess(node, access, store) : 'undivided';
  if (found !== 'undivided') return { isAllowed: found === undefined, ...(found && { reason: found }) };
  return { isAllowed: nodeRules.some((rule) => ruleAllows(rule, access)) };
}

/** Why a node may not access a kind whose access is divided between nodes; empty when no rule is about the verb. */
function dividedAccess(node: string, access: ResourceAccess, store: ReadableStore): string | undefined {
  const { group, plural, subresource } = access.resource;
  switch (group === '' ? plural : `${plural}.${group}`) {
    case 'secrets':
    case 'configmaps':
      return readObstacle(access) ?? unrelated(node, access, store, plural);
    case 'persistentvolumeclaims':
      if (subresource !== 'status') return getObstacle(access) ?? unrelated(node, access, store, plural);
      return isOneOf(access.verb, 'update patch get')
        ? unrelated(node, access, store, plural)
        : 'can only get/update/patch this type';
    case 'persistentvolumes':
      return getObstacle(access) ?? unrelatedVolume(node, access, store);
    case 'volumeattachments.storage.k8s.io':
      return getObstacle(access) ?? unrelatedAttachment(node, access, store);
    case 'serviceaccounts':
      return accountObstacle(access) ?? unrelated(node, access, store, plural);
    case 'leases.coordination.k8s.io':
      return leaseObstacle(node, access);
    case 'csinodes.storage.k8s.io':
      return storageNodeObstacle(node, access);
    case 'nodes':
      return access.fieldSelector === undefined ? 'undivided' : nodeObstacle(node, access);
    case 'pods':
      return access.fieldSelector === undefined ? 'undivided' : podObstacle(node, access, store);
    default:
      return 'undivided';
  }
}

const isOneOf = (verb: string, verbs: string): boolean => verbs.split(' ').includes(verb);

function readObstacle({ verb, resource: { subresource, namespace } }: ResourceAccess): string | undefined {
  if (!isOneOf(verb, 'get list watch')) return 'can only read resources of this type';
  if (subresource !== '') return 'cannot read subresource';
  return namespace === '' ? 'can only read namespaced object of this type' : undefined;
}

function getObstacle({ verb, resource: { subresource } }: ResourceAccess): string | undefined {
  if (verb !== 'get') return 'can only get individual resources of this type';
  return subresource === '' ? undefined : 'cannot get subresource';
}

function accountObstacle({ verb, resource: { name, subresource } }: ResourceAccess): string | undefined {
  if (verb !== 'create' || name === '') return 'can only create tokens for individual service accounts';
  return subresource === 'token' ? undefined : 'can only create token subresource of serviceaccount';
}

/** A node reads itself alone; what it writes is a question of admission. */
function nodeObstacle(node: string, { verb, resource, fieldSelector = '' }: ResourceAccess): string | undefined {
  const { subresource } = resource;
  if (subresource === 'status') return isOneOf(verb, 'update patch') ? undefined : '';
  if (subresource !== '') return '';
  if (isOneOf(verb, 'create update patch')) return undefined;
  if (!isOneOf(verb, 'get list watch')) return '';
  const name = resource.name || requiredField(fieldSelector, 'metadata.name') || '';
  if (name === node) return undefined;
  return name === ''
    ? `node ${quoted(node)} cannot read all nodes, only its own Node object`
    : `node ${quoted(node)} cannot read ${quoted(name)}, only its own Node object`;
}

/** A node reads the pods that run on it. */
function podObstacle(node: string, access: ResourceAccess, store: ReadableStore): string | undefined {
  const { verb, resource, fieldSelector = '' } = access;
  const { namespace, name, subresource } = resource;
  const writes = { '': 'create delete', status: 'update patch', eviction: 'create' } as Readonly<
    Record<string, string>
  >;
  if (isOneOf(verb, readOwn(writes, subresource) ?? '')) return undefined;
  if (subresource !== '' || !isOneOf(verb, 'get list watch')) return '';
  if (verb !== 'get' && requiredField(fieldSelector, 'spec.nodeName') === node) return undefined;
  const wanted = name || requiredField(fieldSelector, 'metadata.name') || '';
  if (wanted === '') return 'can only list/watch pods with spec.nodeName field selector';
  return podsOn(node, store, namespace).some((pod) => pod.metadata.name === wanted) ? undefined : noRelation(node);
}

/** The value that a field selector asks of a field. */
const requiredField = (selector: string, field: string): string | undefined =>
  selector
    .split(',')
    .map((requirement) => /^([^!=]+)==?([^=]*)$/.exec(requirement))
    .find((found) => found?.[1] === field)?.[2];

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

function storageNodeObstacle(node: string, { verb, resource }: ResourceAccess): string | undefined {
  if (!isOneOf(verb, 'get create update patch delete'))
    return 'can only get, create, update, patch, or delete a CSINode';
  return verb === 'create' || resource.name === node
    ? undefined
    : 'can only access CSINode with the same name as the requesting node';
}

function leaseObstacle(node: string, { verb, resource }: ResourceAccess): string | undefined {
  if (!isOneOf(verb, 'get create update patch delete'))
    return 'can only get, create, update, patch, or delete a node lease';
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

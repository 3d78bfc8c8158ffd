import type { ResourceType } from '@nodewright/apis';
import type { DeleteOptions, ListOptions, ObjectKey, WatchOptions, WriteOptions } from '../kubernetes-client.ts';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** `/api/v1/nodes`, `/apis/apps/v1/namespaces/default/deployments`. Without a namespace: all of them. */
export function collectionPath(type: ResourceType, namespace?: string): string {
  const group = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const within = type.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${group}${within}/${type.plural}`;
}

/** Where new objects of a kind are posted: unlike a list, a namespace cannot be left out. */
export function createPath(type: ResourceType, namespace: string | undefined): string {
  if (type.namespaced && namespace === undefined) {
    throw new Error(`metadata.namespace is missing: ${type.kind} is a namespaced kind`);
  }
  return collectionPath(type, namespace);
}

export function objectPath(type: ResourceType, { name, namespace }: ObjectKey, subresource?: string): string {
  if (name === '') throw new Error(`metadata.name is empty: a ${type.kind} is addressed by its name`);
  const object = `${createPath(type, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? object : `${object}/${subresource}`;
}

/** `?limit=500&labelSelector=...`; absent values are left out. */
function queryString(values: Query): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const text = present.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return text === '' ? '' : `?${text}`;
}

export const listQuery = (options: ListOptions): string => queryString({ ...options, namespace: undefined });

export const watchQuery = (options: WatchOptions): string =>
  queryString({ watch: true, ...options, namespace: undefined, signal: undefined });

export const writeQuery = ({ dryRun, fieldValidation, fieldManager }: WriteOptions): string =>
  queryString({ dryRun: dryRun === true ? 'All' : undefined, fieldValidation, fieldManager });

export const deleteBody = (options: DeleteOptions): object => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  ...options,
});

import type { KubernetesObject, ObjectMeta } from '@nodewright/apis';
import type { ObjectKey } from '@nodewright/runtime';

/** `default/web-1`, or the name alone for what has no namespace: how queues and caches name an object. */
export const keyOf = ({ metadata: { namespace, name } }: KubernetesObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

export function objectKey(key: string): ObjectKey {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

export const keyOfMeta = ({ namespace, name }: ObjectMeta): ObjectKey =>
  namespace === undefined ? { name } : { namespace, name };

export const byName = (a: KubernetesObject, b: KubernetesObject): number => compareText(keyOf(a), keyOf(b));

/** By code units: the same on every machine. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

import type { KubernetesObject } from '@nodewright/apis';
import type { ObjectKey } from '../kubernetes-client.ts';

/** `namespace/name`, or `name` for what has no namespace: how stores and queues call an object. */
export const objectKeyText = ({ metadata: { namespace, name } }: Pick<KubernetesObject, 'metadata'>): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;

export function parseKey(key: string): ObjectKey {
  const [first = '', second] = key.split('/');
  return second === undefined ? { name: first } : { namespace: first, name: second };
}

import type { Pod } from '@nodewright/apis';

/** `namespace/name/uid`: another pod of the same name is another key. */
export const evictionKey = ({ metadata }: Pod): string =>
  `${metadata.namespace ?? ''}/${metadata.name}/${metadata.uid ?? ''}`;

export function readEvictionKey(key: string): {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
} {
  const [namespace = '', name = '', uid = ''] = key.split('/');
  return { namespace, name, uid };
}

import { byTextOf, type KubernetesObject, type ObjectMeta } from '@nodewright/apis';
import { objectKeyText, type ObjectKey } from '@nodewright/runtime';

export const keyOfMeta = ({ namespace, name }: ObjectMeta): ObjectKey =>
  namespace === undefined ? { name } : { namespace, name };

/** Orders objects by namespace and name. */
export const byObjectKey: (a: KubernetesObject, b: KubernetesObject) => number = byTextOf(objectKeyText);

export const indexByNamespace = ({ metadata }: KubernetesObject): readonly string[] => [metadata.namespace ?? ''];

import type { KubernetesObject, ObjectMeta } from '@nodewright/apis';
import { objectKeyText, type ObjectKey } from '@nodewright/runtime';

export const keyOfMeta = ({ namespace, name }: ObjectMeta): ObjectKey =>
  namespace === undefined ? { name } : { namespace, name };

export const byObjectKey = (a: KubernetesObject, b: KubernetesObject): number =>
  compareText(objectKeyText(a), objectKeyText(b));

/** By code units: the same on every machine. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

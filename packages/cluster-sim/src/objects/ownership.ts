import { apiVersionOf, type KubernetesObject, type OwnerReference, type ResourceType } from '@nodewright/apis';
import type { IndexBy } from '@nodewright/runtime';

/** The reference that makes `owner` the controller of an object. */
export const controlledBy = (type: ResourceType, { metadata }: KubernetesObject): OwnerReference => ({
  apiVersion: apiVersionOf(type),
  kind: type.kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

export const controllerOf = ({ metadata }: KubernetesObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/** Objects by the uid of their controller. */
export const byController: IndexBy<KubernetesObject> = (object) => {
  const owner = controllerOf(object);
  return owner === undefined ? [] : [owner.uid];
};

/** The key of an object's controller when it is of the given kind. */
export function controllerKey(object: KubernetesObject, kind: string): string | undefined {
  const owner = controllerOf(object);
  return owner?.kind === kind ? `${object.metadata.namespace}/${owner.name}` : undefined;
}

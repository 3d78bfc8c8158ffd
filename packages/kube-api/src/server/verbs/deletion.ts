import { instant, seconds, toTimestamp } from '@nodewright/apis';
import type { Resource } from '../../resources/resource.ts';
import { type ApiObject, storedKeyOf, changeMetadata } from '../../storage/api-object.ts';
import type { ServerContext } from '../world.ts';

type NamespaceSpec = { readonly finalizers?: readonly string[] };

const isHeldBack = (object: ApiObject): boolean => {
  const { finalizers, deletionGracePeriodSeconds = 0 } = object.metadata;
  const ownFinalizers = object.kind === 'Namespace' ? ((object['spec'] as NamespaceSpec)?.finalizers ?? []) : [];
  return (finalizers ?? []).length + ownFinalizers.length > 0 || deletionGracePeriodSeconds > 0;
};

/** Whether nothing keeps a deleted object any more. */
export const endsDeletion = (object: ApiObject): boolean =>
  object.metadata.deletionTimestamp !== undefined && !isHeldBack(object);

/**
 * Removes an object whose last finalizer a write has removed. The write itself is not stored: watches see the state
 * from before it.
 * @returns the object of the write, at the version that it replaced
 */
export function removeDeleted({ store }: ServerContext, resource: Resource, object: ApiObject): ApiObject {
  store.remove(resource.collection, storedKeyOf(object));
  return object;
}

/** Namespaces and definitions are deleted by controllers of the server and have no grace period. */
const hasGracePeriod = ({ kind }: ApiObject): boolean => kind !== 'Namespace' && kind !== 'CustomResourceDefinition';

/** The object with its deletion timestamp, `graceSeconds` from now. */
export function markForDeletion(world: ServerContext, object: ApiObject, graceSeconds: number): ApiObject {
  const { generation, deletionTimestamp } = object.metadata;
  const due = instant(world.clock.now() + seconds(graceSeconds));
  return changeMetadata(object, {
    deletionTimestamp: toTimestamp(due),
    ...(hasGracePeriod(object) && { deletionGracePeriodSeconds: graceSeconds }),
    ...(generation !== undefined &&
      deletionTimestamp === undefined &&
      hasGracePeriod(object) && { generation: generation + 1 }),
  });
}

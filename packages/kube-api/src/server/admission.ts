import type { ApiObject } from '../storage/api-object.ts';
import { forbiddenError, notFoundError } from '../http/status-error.ts';
import type { ObjectCall, ServerContext } from './world.ts';

const namespaceResource = { group: '', plural: 'namespaces' };

/** Refuses a new object where the built-in admission plugins of a real server would. */
export function admitCreation({ store }: ServerContext, { resource, path }: ObjectCall, { metadata }: ApiObject): void {
  if (resource.custom?.isTerminating === true) {
    throw forbiddenError(resource, metadata.name, 'create not allowed while custom resource definition is terminating');
  }
  if (!resource.namespaced) return;
  const namespace = store.collection('namespaces').get({ namespace: '', name: path.namespace });
  if (namespace === undefined) throw notFoundError(namespaceResource, path.namespace);
  if (namespace.metadata.deletionTimestamp === undefined) return;
  const because = `unable to create new content in namespace ${path.namespace} because it is being terminated`;
  throw forbiddenError(resource, metadata.name, because, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${path.namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}

const protectedNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Refuses to delete the namespaces of the cluster itself. */
export function admitDeletion({ resource, path }: ObjectCall): void {
  if (resource.collection === 'namespaces' && protectedNamespaces.has(path.name)) {
    throw forbiddenError(resource, path.name, 'this namespace may not be deleted');
  }
}

import { forbiddenError, notFoundError } from '../../http/status-error.ts';
import type { AdmissionAttributes, AdmissionView } from '../attributes.ts';

const namespaceResource = { group: '', plural: 'namespaces' };

const protectedNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Refuses new objects in absent and terminating namespaces, and the deletion of the cluster's own namespaces. */
export function requireActiveNamespace(attributes: AdmissionAttributes, view: AdmissionView): void {
  const { operation, resource, name, subresource } = attributes;
  if (operation === 'DELETE') {
    if (resource.collection === 'namespaces' && protectedNamespaces.has(name)) {
      throw forbiddenError(resource, name, 'this namespace may not be deleted');
    }
    return;
  }
  if (operation === 'CREATE' && subresource === '' && resource.namespaced) refuseClosedNamespace(attributes, view);
}

function refuseClosedNamespace({ resource, namespace, name }: AdmissionAttributes, { store }: AdmissionView): void {
  const found = store.collection('namespaces').get({ namespace: '', name: namespace });
  if (found === undefined) throw notFoundError(namespaceResource, namespace);
  if (found.metadata.deletionTimestamp === undefined) return;
  const because = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw forbiddenError(resource, name, because, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}

import type { ApiObject } from '../../storage/api-object.ts';
import { withMetadata } from '../../storage/api-object.ts';
import type { Call, World } from '../world.ts';

/** What the server itself adds to a new object of some kinds, beyond defaults. */
export function preparedForCreate(_world: World, { resource }: Call, object: ApiObject): ApiObject {
  switch (resource.collection) {
    case 'namespaces':
      return newNamespace(object);
    case 'customresourcedefinitions.apiextensions.k8s.io':
      return newDefinition(object);
    default:
      return object;
  }
}

const nameLabel = 'kubernetes.io/metadata.name';

function newNamespace(object: ApiObject): ApiObject {
  const labels = { ...object.metadata.labels, [nameLabel]: object.metadata.name };
  const spec = object['spec'] as { readonly finalizers?: readonly string[] } | undefined;
  const finalizers = [...new Set([...(spec?.finalizers ?? []), 'kubernetes'])];
  return { ...withMetadata(object, { labels }), spec: { ...spec, finalizers }, status: { phase: 'Active' } };
}

type Versions = { readonly versions?: readonly { readonly name: string; readonly storage: boolean }[] };

function newDefinition(object: ApiObject): ApiObject {
  const storage = ((object['spec'] as Versions | undefined)?.versions ?? []).find((version) => version.storage);
  const status = {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: storage === undefined ? [] : [storage.name],
  };
  return { ...object, status };
}

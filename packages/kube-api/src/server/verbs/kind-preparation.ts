import type { ApiObject } from '../../storage/api-object.ts';
import type { ObjectCall, ServerContext } from '../world.ts';

/** Adds the fields that the server sets on new objects of some kinds, besides defaults. */
export function prepareForCreate(_world: ServerContext, { resource }: ObjectCall, object: ApiObject): ApiObject {
  switch (resource.collection) {
    case 'customresourcedefinitions.apiextensions.k8s.io':
      return newDefinition(object);
    default:
      return object;
  }
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

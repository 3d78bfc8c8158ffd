import type { ApiObject } from '../../storage/api-object.ts';
import type { ResourceCall, ServerContext } from '../world.ts';
import { withField } from './object-writes.ts';

type Versioned = { readonly before: ApiObject; readonly after: ApiObject };

/** What the server itself keeps or corrects when an object of some kinds changes. */
export function prepareForUpdate(
  _world: ServerContext,
  { resource, path }: ResourceCall,
  { before, after }: Versioned,
): ApiObject {
  switch (resource.collection) {
    case 'namespaces':
      return path.subresource === 'finalize' ? after : withFinalizersOf(before, after);
    default:
      return after;
  }
}

/** A namespace's own finalizers change through its finalize subresource only. */
function withFinalizersOf(before: ApiObject, after: ApiObject): ApiObject {
  return withField(after, 'spec', before['spec']);
}

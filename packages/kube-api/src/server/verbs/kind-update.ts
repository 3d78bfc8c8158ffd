import type { ApiObject } from '../../storage/api-object.ts';
import type { ObjectCall, ServerContext } from '../world.ts';
import { withField } from './object-writes.ts';
import { allocateService } from './service-allocation.ts';

type Versioned = { readonly before: ApiObject; readonly after: ApiObject };

/** Keeps or corrects the fields that the server owns when an object of some kinds changes. */
export function prepareForUpdate(
  world: ServerContext,
  { resource, path }: ObjectCall,
  { before, after }: Versioned,
): ApiObject {
  switch (resource.collection) {
    case 'namespaces':
      return path.subresource === 'finalize' ? after : withFinalizersOf(before, after);
    case 'services':
      return path.subresource === '' ? allocateService(world, after, before) : after;
    default:
      return after;
  }
}

/** The finalizers in a namespace's spec change through the finalize subresource only. */
function withFinalizersOf(before: ApiObject, after: ApiObject): ApiObject {
  return withField(after, 'spec', before['spec']);
}

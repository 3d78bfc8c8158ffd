import { parseSwitch } from './go-values.ts';
import type { RequestInfo, ResourcePath } from './request-info.ts';

/** The action of a request, as authorization rules and discovery name it. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** The verb of a request for a resource; undefined for methods that no resource has. */
export function verbOf({ method, query }: RequestInfo, { name, watchPath }: ResourcePath): Verb | undefined {
  switch (method) {
    case 'GET':
      if (watchPath) return 'watch';
      if (name !== '') return 'get';
      return parseSwitch(query.get('watch')) ? 'watch' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete';
    default:
      return undefined;
  }
}

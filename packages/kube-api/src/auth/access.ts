import type { ResourcePath } from '../http/request-info.ts';

/** An action on a resource or on a path that names no resource. */
export type Access =
  | {
      readonly verb: string;
      readonly resource: Pick<ResourcePath, 'group' | 'plural' | 'namespace' | 'name' | 'subresource'>;
    }
  | { readonly verb: string; readonly path: string };

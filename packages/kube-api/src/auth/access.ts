import type { ResourcePath } from '../http/request-info.ts';

/** What somebody wants to do: to a resource, or to a path that is none. */
export type Access =
  | {
      readonly verb: string;
      readonly resource: Pick<ResourcePath, 'group' | 'plural' | 'namespace' | 'name' | 'subresource'>;
    }
  | { readonly verb: string; readonly path: string };

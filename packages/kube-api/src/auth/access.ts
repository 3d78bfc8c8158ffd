import type { ResourcePath } from '../http/request-info.ts';

/** An action on a resource or on a path that names no resource. */
export type Access =
  | {
      readonly verb: string;
      readonly resource: Pick<ResourcePath, 'group' | 'plural' | 'namespace' | 'name' | 'subresource'>;
      /** Empty without one; undefined where selectors do not count, as before Kubernetes 1.32. */
      readonly fieldSelector?: string;
    }
  | { readonly verb: string; readonly path: string };

/** Whether selectors count for authorization in a minor. */
export const selectorsCount = (minor: number): boolean => minor >= 32;

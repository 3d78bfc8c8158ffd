import type { Resource } from '../resources/resource.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { IncludeObject } from '../http/negotiation.ts';
import type { ListMetadata } from '../http/partial-metadata.ts';

type WrittenTable = Readonly<Record<string, unknown>>;

/** Writes objects as the tables that `kubectl get` prints. */
export interface TableWriter {
  ofObject(resource: Resource, object: ApiObject, include: IncludeObject): WrittenTable;
  ofList(
    resource: Resource,
    objects: readonly ApiObject[],
    metadata: ListMetadata,
    include: IncludeObject,
  ): WrittenTable;
  /** Only the first row of a watch contains the column definitions. */
  ofWatched(
    resource: Resource,
    object: ApiObject,
    options: { readonly isFirst: boolean; readonly includeObject: IncludeObject },
  ): WrittenTable;
}

import type { Instant } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { IncludeObject } from '../http/negotiation.ts';
import type { TableWriter } from './table-writer.ts';
import { metadataOf } from '../http/partial-metadata.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { Columns } from './columns.ts';
import { columnsOf } from './columns-of.ts';

type Document = Readonly<Record<string, unknown>>;

/** Ages are counted to when a row is written: a watch lasts, and its rows come late. */
export const kindTables = (clock: Pick<Clock, 'now'>): TableWriter => ({
  ofObject: (resource, object, include) =>
    table(columnsOf(resource), [object], { now: clock.now(), include, metadata: versionOf(object) }),
  ofList: (resource, objects, metadata, include) =>
    table(columnsOf(resource), objects, { now: clock.now(), include, metadata }),
  ofWatched: (resource, object, { isFirst, includeObject }) => {
    const document = table(columnsOf(resource), [object], {
      now: clock.now(),
      include: includeObject,
      metadata: versionOf(object),
    });
    return isFirst ? document : { ...document, columnDefinitions: null };
  },
});

const versionOf = ({ metadata }: ApiObject): object => ({ resourceVersion: metadata.resourceVersion });

type Printing = { readonly now: Instant; readonly include: IncludeObject; readonly metadata: object };

function table(
  { definitions, cells }: Columns,
  objects: readonly ApiObject[],
  { now, include, metadata }: Printing,
): Document {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: definitions,
    rows: objects.map((object) => ({ ...cells(object, now), object: included(object, include) })),
  };
}

function included(object: ApiObject, include: IncludeObject): unknown {
  switch (include) {
    case 'Metadata':
      return metadataOf(object);
    case 'Object':
      return object;
    case 'None':
      return null;
  }
}

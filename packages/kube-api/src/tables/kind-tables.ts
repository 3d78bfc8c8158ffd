import type { Instant } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { Resource } from '../resources/resource.ts';
import type { IncludeObject } from '../http/negotiation.ts';
import type { TableWriter } from './table-writer.ts';
import { partialMetadata, dropBlankContinue } from '../http/partial-metadata.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { TableColumns } from './columns.ts';
import { columnsOfResource } from './columns-of.ts';

type TableDocument = Readonly<Record<string, unknown>>;

/**
 * Prints tables of a server of one minor version. Ages refer to the time at which a row is written, because a watch
 * writes rows later.
 */
export const kindTables = (clock: Pick<Clock, 'now'>, minor: number): TableWriter => ({
  ofObject: (resource, object, include) =>
    tableDocument(printedRows(resource, minor), [object], {
      now: clock.now(),
      include,
      metadata: rowVersion(object),
    }),
  ofList: (resource, objects, metadata, include) =>
    tableDocument(printedRows(resource, minor), objects, {
      now: clock.now(),
      include,
      metadata: dropBlankContinue(metadata),
    }),
  ofWatched: (resource, object, { isFirst, includeObject }) => {
    const document = tableDocument(printedRows(resource, minor), [object], {
      now: clock.now(),
      include: includeObject,
      metadata: rowVersion(object),
    });
    return isFirst ? document : { ...document, columnDefinitions: null };
  },
});

/** The columns of built-in kinds read the stored form, so that all versions of a kind print the same row. */
function printedRows(resource: Resource, minor: number): TableColumns {
  const { definitions, cells } = columnsOfResource(resource, minor);
  if (resource.custom !== undefined) return { definitions, cells };
  return { definitions, cells: (object, now) => cells(resource.toStored(object), now) };
}

const rowVersion = ({ metadata }: ApiObject): object => ({ resourceVersion: metadata.resourceVersion });

type TablePrinting = { readonly now: Instant; readonly include: IncludeObject; readonly metadata: object };

function tableDocument(
  { definitions, cells }: TableColumns,
  objects: readonly ApiObject[],
  { now, include, metadata }: TablePrinting,
): TableDocument {
  // Kinds without columns of their own have no list of rows, either.
  const isPlain = definitions.some(({ name }) => name === 'Created At');
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: definitions,
    rows:
      isPlain && objects.length === 0
        ? null
        : objects.map((object) => ({ ...cells(object, now), object: includedObject(object, include) })),
  };
}

function includedObject(object: ApiObject, include: IncludeObject): unknown {
  switch (include) {
    case 'Metadata':
      return partialMetadata(object);
    case 'Object':
      return object;
    case 'None':
      return null;
  }
}

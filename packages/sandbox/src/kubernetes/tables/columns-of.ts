import type { Resource } from '../resources/resource.ts';
import { ageColumn, ageOf, type Columns, nameColumn } from './columns.ts';

const plain: Columns = {
  definitions: [nameColumn, ageColumn],
  cells: (object, now) => ({ cells: [object.metadata.name, ageOf(object, now)] }),
};

/** How a resource is printed; name and age when nothing more is known. */
export const columnsOf = (_resource: Resource): Columns => plain;

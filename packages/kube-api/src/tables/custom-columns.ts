import type { Instant } from '@nodewright/apis';
import type { RequestedColumn } from '../resources/resource.ts';
import { type TableColumn, defineColumn, type TableColumns, nameAndColumns, sinceText } from './columns.ts';
import { parseJsonPath, valuesAt } from './json-path.ts';

/** The columns that a custom resource definition asks for, after the name. */
export const customColumns = (printers: readonly RequestedColumn[]): TableColumns =>
  nameAndColumns(...printers.map(toTableColumn));

function toTableColumn({
  name,
  type,
  format = '',
  description = '',
  priority = 0,
  jsonPath,
}: RequestedColumn): TableColumn {
  const steps = parseJsonPath(jsonPath);
  const definition = { type, format, priority, description: description || columnDescription(jsonPath) };
  return defineColumn(name, (object, now) => cellOf(valuesAt(object, steps), type, now), definition);
}

const columnDescription = (jsonPath: string): string =>
  `Custom resource definition column (in JSONPath format): ${jsonPath}`;

/** A cell is of its column's type, or empty. */
function cellOf(values: readonly unknown[], type: string, now: Instant): unknown {
  const [first] = values;
  if (first === undefined) return null;
  switch (type) {
    case 'integer':
    case 'number':
      return typeof first === 'number' ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'date':
      return typeof first === 'string' ? sinceText(first, now) : null;
    default:
      return cellText(first);
  }
}

const cellText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

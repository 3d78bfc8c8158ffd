import type { Instant } from '@nodewright/apis';
import type { PrinterColumn } from '../resources/resource.ts';
import { type Column, column, type Columns, columns, sinceText } from './columns.ts';
import { parseJsonPath, valuesAt } from './json-path.ts';

/** The columns that a custom resource definition asks for, after the name. */
export const customColumns = (printers: readonly PrinterColumn[]): Columns => columns(...printers.map(printed));

function printed({ name, type, format = '', description = '', priority = 0, jsonPath }: PrinterColumn): Column {
  const steps = parseJsonPath(jsonPath);
  const definition = { type, format, priority, description: description || descriptionOf(jsonPath) };
  return column(name, (object, now) => cellOf(valuesAt(object, steps), type, now), definition);
}

const descriptionOf = (jsonPath: string): string =>
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
      return textOf(first);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

import { byText } from '@nodewright/apis';

export type TableValue = string | number | undefined;

/** Tab-separated values, as spreadsheets take them: a tab or line break in a cell becomes a blank. */
export const formatTsv = (header: readonly string[], rows: readonly (readonly TableValue[])[]): string =>
  [header, ...rows].map((row) => row.map(cleanCell).join('\t')).join('\n');

const cleanCell = (value: TableValue): string => String(value ?? '').replaceAll(/[\t\r\n]+/g, ' ');

/** Numbers by size, texts by `byText`; what is absent comes last. */
export function compareTableValues(a: TableValue, b: TableValue): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return typeof a === 'number' && typeof b === 'number' ? a - b : byText(String(a), String(b));
}

/** Whether every word of the filter is somewhere in a row, in any case. */
export function matchesFilter(row: readonly TableValue[], filter: string): boolean {
  const text = row.join(' ').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

import { fromTimestamp, type Instant } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';

export type ColumnDefinition = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date' | (string & {});
  readonly format: string;
  readonly description: string;
  /** 0 is always shown; higher numbers only with `-o wide`. */
  readonly priority: number;
};

export type TableRow = {
  readonly cells: readonly unknown[];
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
};

/** The columns of one kind and how to fill its rows. */
export type TableColumns = {
  readonly definitions: readonly ColumnDefinition[];
  readonly cells: (object: ApiObject, now: Instant) => TableRow;
};

/** A definition with the way to fill its cell. */
export type TableColumn = {
  readonly definition: ColumnDefinition;
  readonly cell: (object: ApiObject, now: Instant) => unknown;
};

export const defineColumn = (
  name: string,
  cell: TableColumn['cell'],
  options: Partial<ColumnDefinition> = {},
): TableColumn => ({
  definition: { name, type: 'string', format: '', description: '', priority: 0, ...options },
  cell,
});

/** Shown with `-o wide` only. */
export const wideColumn = { priority: 1 };

export const integerColumn = { type: 'integer' };

export const nameColumn = defineColumn('Name', ({ metadata }) => metadata.name ?? '', { format: 'name' });
export const ageColumn = defineColumn('Age', (object, now) => ageOf(object, now));

/** The columns of one kind, the name first. */
export const nameAndColumns = (...rest: readonly TableColumn[]): TableColumns => exactColumns(nameColumn, ...rest);

/** For the few kinds whose name does not come first. */
export const exactColumns = (...all: readonly TableColumn[]): TableColumns => ({
  definitions: all.map(({ definition }) => definition),
  cells: (object, now) => ({ cells: all.map(({ cell }) => cell(object, now)) }),
});

/** The age of an object as kubectl prints it; `<unknown>` without a time. */
export const ageOf = ({ metadata }: ApiObject, now: Instant): string => sinceText(metadata.creationTimestamp, now);

export const sinceText = (timestamp: string | undefined | null, now: Instant): string =>
  timestamp === undefined || timestamp === null || timestamp === ''
    ? '<unknown>'
    : printDuration(Math.floor((now - fromTimestamp(timestamp)) / 1000));

const secondsPerMinute = 60;
const secondsPerHour = 60 * secondsPerMinute;
const secondsPerDay = 24 * secondsPerHour;
const secondsPerYear = 365 * secondsPerDay;

/** Two units at most, fewer as it grows: `45s`, `2m5s`, `12m`, `3h20m`, `26h`, `3d4h`, `100d`, `2y35d`, `9y`. */
export function printDuration(seconds: number): string {
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * secondsPerMinute) return `${seconds}s`;
  if (seconds < 10 * secondsPerMinute) return printTwoUnits(seconds, [secondsPerMinute, 'm'], [1, 's']);
  if (seconds < 3 * secondsPerHour) return `${Math.floor(seconds / secondsPerMinute)}m`;
  if (seconds < 8 * secondsPerHour) return printTwoUnits(seconds, [secondsPerHour, 'h'], [secondsPerMinute, 'm']);
  if (seconds < 2 * secondsPerDay) return `${Math.floor(seconds / secondsPerHour)}h`;
  if (seconds < 8 * secondsPerDay) return printTwoUnits(seconds, [secondsPerDay, 'd'], [secondsPerHour, 'h']);
  if (seconds < 2 * secondsPerYear) return `${Math.floor(seconds / secondsPerDay)}d`;
  if (seconds < 8 * secondsPerYear) return printTwoUnits(seconds, [secondsPerYear, 'y'], [secondsPerDay, 'd']);
  return `${Math.floor(seconds / secondsPerYear)}y`;
}

type DurationUnit = readonly [seconds: number, letter: string];

function printTwoUnits(total: number, [large, largeLetter]: DurationUnit, [small, smallLetter]: DurationUnit): string {
  const rest = Math.floor((total % large) / small);
  return `${Math.floor(total / large)}${largeLetter}${rest === 0 ? '' : `${rest}${smallLetter}`}`;
}

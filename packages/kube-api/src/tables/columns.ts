import { fromTimestamp, type Instant } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';

export type ColumnDefinition = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date' | (string & {});
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority: number;
};

export type Row = {
  readonly cells: readonly unknown[];
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
};

/** How one kind is printed. */
export type Columns = {
  readonly definitions: readonly ColumnDefinition[];
  readonly cells: (object: ApiObject, now: Instant) => Row;
};

/** A definition with the way to fill its cell. */
export type Column = {
  readonly definition: ColumnDefinition;
  readonly cell: (object: ApiObject, now: Instant) => unknown;
};

export const column = (name: string, cell: Column['cell'], options: Partial<ColumnDefinition> = {}): Column => ({
  definition: { name, type: 'string', format: '', description: '', priority: 0, ...options },
  cell,
});

/** Shown with `-o wide` only. */
export const wide = { priority: 1 };

export const integer = { type: 'integer' };

export const nameColumn = column('Name', ({ metadata }) => metadata.name, { format: 'name' });
export const ageColumn = column('Age', (object, now) => ageOf(object, now));

/** The columns of one kind, the name first. */
export const columns = (...rest: readonly Column[]): Columns => exactColumns(nameColumn, ...rest);

/** For the few kinds whose name does not come first. */
export const exactColumns = (...all: readonly Column[]): Columns => ({
  definitions: all.map(({ definition }) => definition),
  cells: (object, now) => ({ cells: all.map(({ cell }) => cell(object, now)) }),
});

/** How long ago, as kubectl prints it: `<unknown>` when there is no time. */
export const ageOf = ({ metadata }: ApiObject, now: Instant): string => sinceText(metadata.creationTimestamp, now);

export const sinceText = (timestamp: string | undefined | null, now: Instant): string =>
  timestamp === undefined || timestamp === null || timestamp === ''
    ? '<unknown>'
    : humanDuration(Math.floor((now - fromTimestamp(timestamp)) / 1000));

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Two units at most, fewer as it grows: `45s`, `2m5s`, `12m`, `3h20m`, `26h`, `3d4h`, `100d`, `2y35d`, `9y`. */
export function humanDuration(seconds: number): string {
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return two(seconds, [minute, 'm'], [1, 's']);
  if (seconds < 3 * hour) return `${Math.floor(seconds / minute)}m`;
  if (seconds < 8 * hour) return two(seconds, [hour, 'h'], [minute, 'm']);
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)}h`;
  if (seconds < 8 * day) return two(seconds, [day, 'd'], [hour, 'h']);
  if (seconds < 2 * year) return `${Math.floor(seconds / day)}d`;
  if (seconds < 8 * year) return two(seconds, [year, 'y'], [day, 'd']);
  return `${Math.floor(seconds / year)}y`;
}

type Unit = readonly [seconds: number, letter: string];

function two(total: number, [large, largeLetter]: Unit, [small, smallLetter]: Unit): string {
  const rest = Math.floor((total % large) / small);
  return `${Math.floor(total / large)}${largeLetter}${rest === 0 ? '' : `${rest}${smallLetter}`}`;
}

import { readOwn } from '@nodewright/apis';

/** Filters by their names, with the way to what each one compares: names of members from the record on. */
export type RecordPaths = ReadonlyMap<string, readonly string[]>;

/** Reads a table of filters: a line has the name of a filter and its way, `image-id ImageId`. */
export const parseRecordPaths = (table: string): RecordPaths =>
  new Map(
    table
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', path = ''] = line.trim().split(/\s+/);
        return [name, path.split('.')] as const;
      }),
  );

/** Lists the values at the end of a way, as filters compare them. Lists on the way contribute each of their items. */
export function readRecordPath(record: unknown, path: readonly string[], from = 0): readonly string[] {
  if (record === undefined || record === null) return [];
  if (Array.isArray(record)) return record.flatMap((item) => readRecordPath(item, path, from));
  const name = path[from];
  if (name === undefined) return [writeFilterValue(record)];
  if (typeof record !== 'object') return [];
  return readRecordPath(readOwn(record as Readonly<Record<string, unknown>>, name), path, from + 1);
}

const writeFilterValue = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

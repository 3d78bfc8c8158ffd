import { instant, type Instant, readOwn } from '@nodewright/apis';

/** One change of one map; without a value the key is gone. */
export type StateChange = {
  readonly at: Instant;
  readonly map: string;
  readonly key: string;
  readonly value: unknown;
};

/** `[1706457600000,"ec2/instances","i-0123",{...}]`, three elements for what is gone. */
export function writeChange({ at, map, key, value }: StateChange): string {
  if (value === undefined) return JSON.stringify([at, map, key]);
  const change = [at, map, key, value];
  return hasDate(value) ? JSON.stringify(change, datesMarked) : JSON.stringify(change);
}

/** A look at all values costs less than a function that `JSON.stringify` calls for each of them; few have dates. */
function hasDate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Date) return true;
  for (const name in value) if (hasDate(readOwn(value as Record<string, unknown>, name))) return true;
  return false;
}

/** @returns `undefined` for parsed JSON that is no change */
export function readChange(parsed: unknown): StateChange | undefined {
  if (!Array.isArray(parsed)) return undefined;
  const [at, map, key, value] = parsed as unknown[];
  if (typeof at !== 'number' || typeof map !== 'string' || typeof key !== 'string') return undefined;
  return { at: instant(at), map, key, value };
}

const dateMark = '$date';

/** JSON has no dates; answers of AWS that are remembered do. */
function datesMarked(this: unknown, key: string, value: unknown): unknown {
  const original = readOwn(this as Record<string, unknown>, key);
  return original instanceof Date ? { [dateMark]: original.getTime() } : value;
}

/** Reads JSON with the dates that `writeChange` marked; `undefined` for what is no JSON. */
export function parseWithDates(text: string): unknown {
  try {
    return text.includes(`"${dateMark}"`) ? JSON.parse(text, datesRead) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const datesRead = (_key: string, value: unknown): unknown => {
  const ms = (value as Record<string, unknown> | null)?.[dateMark];
  return typeof ms === 'number' ? new Date(ms) : value;
};

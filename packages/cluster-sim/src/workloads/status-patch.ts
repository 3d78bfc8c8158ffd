import { readOwn } from '@nodewright/apis';

type Field = string | number | null | undefined | object;
type Fields = Readonly<Record<string, Field>>;

/** Counts as Kubernetes writes them: a zero is left out, so a merge patch takes it away. */
export const withoutZeros = (counts: Readonly<Record<string, number>>): Readonly<Record<string, number | null>> =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count === 0 ? null : count]));

/** Whether a merge patch of these fields would change the status. */
export const differs = (status: object | undefined, patch: Fields): boolean =>
  Object.entries(patch).some(([name, value]) => {
    const known = readOwn(status as Fields | undefined, name);
    return JSON.stringify(known ?? null) !== JSON.stringify(value ?? null);
  });

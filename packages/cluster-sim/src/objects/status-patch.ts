import { readOwn } from '@nodewright/apis';

type StatusField = string | number | null | undefined | object;
type StatusFields = Readonly<Record<string, StatusField>>;

/** Counts as Kubernetes writes them: a zero is left out, so a merge patch takes it away. */
export const withoutZeros = (counts: Readonly<Record<string, number>>): Readonly<Record<string, number | null>> =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count === 0 ? null : count]));

/** Whether a merge patch of these fields would change the status. */
export const differsFromPatch = (status: object | undefined, patch: StatusFields): boolean =>
  Object.entries(patch).some(([name, value]) => {
    const known = readOwn(status as StatusFields | undefined, name);
    return JSON.stringify(known ?? null) !== JSON.stringify(value ?? null);
  });

import { readOwn } from '@nodewright/apis';

/** Counts in the form that Kubernetes writes them: a merge patch removes a count of zero. */
export const withoutZeros = (counts: Readonly<Record<string, number>>): Readonly<Record<string, number | null>> =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count === 0 ? null : count]));

/** Whether a merge patch of these fields would change the status. */
export const differsFromPatch = (status: object | undefined, patch: object): boolean =>
  Object.entries(patch).some(([name, value]: [string, unknown]) => {
    const known = readOwn(status as Readonly<Record<string, unknown>> | undefined, name);
    return JSON.stringify(known ?? null) !== JSON.stringify(value ?? null);
  });

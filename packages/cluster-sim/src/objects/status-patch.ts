import { readOwn } from '@nodewright/apis';

/** Counts in the form that Kubernetes writes them: a merge patch removes a count of zero. */
export const withoutZeros = <Count extends string>(
  counts: Readonly<Record<Count, number>>,
): Readonly<Record<Count, number | null>> =>
  Object.fromEntries(
    Object.entries<number>(counts).map(([name, count]) => [name, count === 0 ? null : count]),
  ) as Readonly<Record<Count, number | null>>;

/** Whether a merge patch of these fields would change the status. */
export const differsFromPatch = (status: object | undefined, patch: object): boolean =>
  Object.entries(patch).some(([name, value]: [string, unknown]) => {
    const known = readOwn(status as Readonly<Record<string, unknown>> | undefined, name);
    return JSON.stringify(known ?? null) !== JSON.stringify(value ?? null);
  });

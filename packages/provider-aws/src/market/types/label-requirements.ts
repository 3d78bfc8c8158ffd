import type { Requirement, Requirements } from '@nodewright/requirements';

/** Any of the values; with none, the label must not exist. */
const oneOf = (key: string, values: readonly string[]): Requirement => ({
  key,
  complement: false,
  values: new Set(values),
});

export const requirementsFrom = (labels: Iterable<readonly [string, readonly string[]]>): Requirements =>
  new Map([...labels].map(([key, values]) => [key, oneOf(key, values)]));

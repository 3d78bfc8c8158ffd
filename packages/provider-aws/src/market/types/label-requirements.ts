import { requireOneOf, type Requirements } from '@nodewright/requirements';

/** What labels of a node may be: each one of its values; a node does not have a label without values. The last entry of a label counts. */
export const requirementsFrom = (labels: Iterable<readonly [string, readonly string[]]>): Requirements =>
  new Map([...labels].map(([key, values]) => [key, requireOneOf(key, values)]));

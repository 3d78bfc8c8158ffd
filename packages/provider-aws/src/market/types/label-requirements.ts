import { requireOneOf, type Requirements } from '@nodewright/requirements';

type LabelValues = readonly (readonly [string, readonly string[]])[];

/** What labels of a node may be: each one of its values; a node does not have a label without values. The last entry of a label counts. */
export const requirementsFrom = (labels: Iterable<readonly [string, readonly string[]]>): Requirements =>
  new Map([...labels].map(([key, values]) => [key, requireOneOf(key, values)]));

/**
 * As `requirementsFrom`, with one object for all that ask for the same. A list of all instance types has thousands of
 * offerings and a handful of zones: readers keep something for each object that they meet.
 */
export function sharedRequirements(): (labels: LabelValues) => Requirements {
  const known = new Map<string, Requirements>();
  return (labels) => {
    const text = JSON.stringify(labels);
    const requirements = known.get(text) ?? requirementsFrom(labels);
    known.set(text, requirements);
    return requirements;
  };
}

import { type Node, type NodeClaim, readOwn } from '@nodewright/apis';
import { resourcesOf } from '@nodewright/engine';

/** A node may lack a tenth of what its instance type promises: kernels and firmware take their part. */
const leastShare = 0.9;

/** A sentence for every resource that the claim asked for and of which its node has clearly less than expected. */
export function listShapeProblems({ spec, status }: NodeClaim, node: Node): readonly string[] {
  const requested = resourcesOf(spec.resources?.requests);
  const expected = resourcesOf(status?.capacity);
  const found = resourcesOf(node.status?.capacity);
  return Object.keys(requested)
    .toSorted()
    .filter((name) => (readOwn(requested, name) ?? 0) > 0 && (readOwn(expected, name) ?? 0) > 0)
    .filter((name) => (readOwn(found, name) ?? 0) < leastShare * (readOwn(expected, name) ?? 0))
    .map((name) => {
      const [promised, given] = [readOwn(status?.capacity, name), readOwn(node.status?.capacity, name) ?? 0];
      const percent = ((readOwn(found, name) ?? 0) / (readOwn(expected, name) ?? 1)) * 100;
      return `expected ${promised} of resource ${name}, but found ${given} (${percent.toFixed(1)}% of expected)`;
    });
}

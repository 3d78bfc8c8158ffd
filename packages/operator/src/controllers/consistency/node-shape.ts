import type { Node, NodeClaim } from '@nodewright/apis';
import { resourcesOf } from '@nodewright/engine';

/** A node may lack a tenth of what its instance type promises: kernels and firmware take their part. */
const leastShare = 0.9;

/** A sentence for every resource that the claim asked for and of which its node has clearly less than expected. */
export function shapeComplaints({ spec, status }: NodeClaim, node: Node): readonly string[] {
  const requested = resourcesOf(spec.resources?.requests);
  const expected = resourcesOf(status?.capacity);
  const found = resourcesOf(node.status?.capacity);
  return Object.keys(requested)
    .toSorted()
    .filter((name) => (requested[name] ?? 0) > 0 && (expected[name] ?? 0) > 0)
    .filter((name) => (found[name] ?? 0) < leastShare * (expected[name] ?? 0))
    .map((name) => {
      const [promised, given] = [status?.capacity?.[name], node.status?.capacity?.[name] ?? 0];
      return `the node has ${given} of ${name}, and ${promised} was expected`;
    });
}

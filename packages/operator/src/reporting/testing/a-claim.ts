import type { NodeClaim } from '@nodewright/apis';
import { aNode } from '@nodewright/testkit';

/** The claim of a node of pool `default`. */
export function aClaim(name: string, traits: Parameters<typeof aNode>[1] = {}): NodeClaim {
  const { nodeClaim } = aNode(name, traits);
  if (nodeClaim === undefined) throw new Error('a managed node has a claim');
  return { ...nodeClaim, metadata: { ...nodeClaim.metadata, name } };
}

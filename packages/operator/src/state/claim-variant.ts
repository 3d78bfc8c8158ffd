import { type EC2NodeClass, type NodeClaim, oncePerPair } from '@nodewright/apis';
import { amiFamilyOf, printVariant, variantOfNode } from '@nodewright/engine';
import type { Objects } from './objects.ts';

/** The kind of node that a claim has become, or is to become: labels tell it, and before a launch what the claim asks for. */
export function variantOfClaim({ nodeClasses }: Pick<Objects, 'nodeClasses'>, claim: NodeClaim): string | undefined {
  const nodeClass = nodeClasses.get(claim.spec.nodeClassRef.name);
  return nodeClass && variantUnderClass(claim, nodeClass);
}

const variantUnderClass = oncePerPair((claim: NodeClaim, nodeClass: EC2NodeClass): string => {
  const asked = claim.spec.requirements.flatMap(({ key, operator, values }): [string, string][] => {
    const [value, second] = values ?? [];
    if (operator === 'Exists') return [[key, '1']];
    return operator === 'In' && value !== undefined && second === undefined ? [[key, value]] : [];
  });
  const labels = { ...Object.fromEntries(asked), ...claim.metadata.labels };
  return printVariant(variantOfNode(amiFamilyOf(nodeClass), labels));
});

import { isQuantity, isRestrictedResource, karpenterLabels, type NodeOverlay } from '@nodewright/apis';
import { normaliseKey, requirementComplaint } from '@nodewright/requirements';

type WrittenOverlay = NodeOverlay['spec']['requirements'][number];

const overlayCapacityTypes: ReadonlySet<string> = new Set(['on-demand', 'spot', 'reserved']);

/** What is wrong with an overlay that admission cannot see, or has not seen; `undefined` when it may count. */
export function overlayComplaint({ spec }: NodeOverlay): string | undefined {
  for (const requirement of spec.requirements) {
    const complaint = requirementComplaint(requirement) ?? overlayValuesComplaint(requirement);
    if (complaint !== undefined) return complaint;
  }
  return capacityComplaint(spec.capacity ?? {}) ?? priceComplaint(spec);
}

function overlayValuesComplaint({ key: written, operator, values = [] }: WrittenOverlay): string | undefined {
  const key = normaliseKey(written);
  if (operator === 'NotIn' && values.length === 0) return `operator NotIn of label ${key} needs at least one value`;
  const isUnknown = key === karpenterLabels.capacityType && operator === 'In';
  if (isUnknown && !values.some((value) => overlayCapacityTypes.has(value))) {
    return `label ${key} names none of ${[...overlayCapacityTypes].join(', ')}: ${values.join(', ')}`;
  }
  return undefined;
}

function capacityComplaint(capacity: NonNullable<NodeOverlay['spec']['capacity']>): string | undefined {
  for (const [name, amount] of Object.entries(capacity)) {
    if (isRestrictedResource(name)) return `capacity ${name} comes from the instance type and cannot be changed`;
    if (!isQuantity(amount)) return `capacity ${name} has to be a quantity such as 2 or 10Gi, not ${amount}`;
  }
  return undefined;
}

const priceSyntax = /^\d+(\.\d+)?$/;
const adjustmentSyntax = /^[+-]\d*\.?\d+%?$/;

function priceComplaint({ price: fixed, priceAdjustment: added }: NodeOverlay['spec']): string | undefined {
  if (fixed !== undefined && added !== undefined) return 'price and priceAdjustment exclude each other';
  if (fixed !== undefined && !priceSyntax.test(fixed))
    return `price has to be dollars per hour such as 0.096, not ${fixed}`;
  if (added !== undefined && !adjustmentSyntax.test(added)) {
    return `priceAdjustment has to be a signed amount or percentage such as -0.01 or +10%, not ${added}`;
  }
  return undefined;
}

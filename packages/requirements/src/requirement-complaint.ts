import { isRestrictedLabel, labelValueComplaint, qualifiedNameComplaint, wellKnownLabels } from '@nodewright/apis';
import type { NodeSelectorRequirement, RequirementWithMinValues } from '@nodewright/apis';
import { nearestKey } from './nearest-key.ts';
import { normaliseKey } from './normalise-key.ts';

/**
 * What is wrong with a requirement as written, in a sentence that names key and value; `undefined`
 * when nothing is. Holds for NodePools and for what pods ask of nodes.
 */
export function requirementComplaint(written: NodeSelectorRequirement | RequirementWithMinValues): string | undefined {
  const key = normaliseKey(written.key);
  if (isRestrictedLabel(key)) return restricted(key);
  const keyComplaint = qualifiedNameComplaint(key);
  if (keyComplaint !== undefined) return `label key ${key} ${keyComplaint}`;
  for (const value of written.values ?? []) {
    const complaint = labelValueComplaint(value);
    if (complaint !== undefined) return `value ${value} of label ${key} ${complaint}`;
  }
  return requirementValuesComplaint(key, written);
}

function restricted(key: string): string {
  const meant = nearestKey(key, [...wellKnownLabels]);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return `label ${key} is restricted: it is set by the controller alone${hint}`;
}

const knownOperators = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte']);
const boundOperators = new Set(['Gt', 'Lt', 'Gte', 'Lte']);

function requirementValuesComplaint(
  key: string,
  written: NodeSelectorRequirement | RequirementWithMinValues,
): string | undefined {
  const { operator, values = [] } = written;
  const minValues = 'minValues' in written ? (written.minValues ?? 0) : 0;
  if (!knownOperators.has(operator))
    return `operator ${operator} of label ${key} is none of ${[...knownOperators].join(', ')}`;
  if (operator === 'In' && values.length === 0) return `operator In of label ${key} needs at least one value`;
  if (operator === 'In' && values.length < minValues) {
    return `label ${key} lists ${values.length} values, fewer than its minValues of ${minValues}`;
  }
  if (boundOperators.has(operator) && (values.length !== 1 || !/^\d+$/.test(values[0] ?? ''))) {
    return `operator ${operator} of label ${key} needs exactly one whole number of zero or more, not [${values.join(' ')}]`;
  }
  return undefined;
}

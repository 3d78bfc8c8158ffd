import {
  isRestrictedLabel,
  karpenterLabels,
  labelValueComplaint,
  normalizedLabels,
  qualifiedNameComplaint,
  type NodePool,
  type RequirementWithMinValues,
  type Taint,
} from '@nodewright/apis';

/**
 * Everything wrong with a NodePool's template that admission cannot see; empty when it may be used.
 * Budgets are not looked at: one that cannot be read allows nothing.
 */
export function poolComplaints({ spec: { template } }: NodePool): readonly string[] {
  return [
    ...Object.entries(template.metadata?.labels ?? {}).flatMap(([key, value]) => labelComplaints(key, value)),
    ...taintComplaints([...(template.spec.taints ?? []), ...(template.spec.startupTaints ?? [])]),
    ...template.spec.requirements.flatMap(requirementComplaints),
  ];
}

function labelComplaints(key: string, value: string): readonly string[] {
  if (key === karpenterLabels.nodePool) return [`label ${key} is set by the NodePool itself`];
  return [...keyComplaints('label', key), ...valueComplaints(key, [value])];
}

function keyComplaints(what: string, key: string): readonly string[] {
  const complaint = qualifiedNameComplaint(key);
  if (complaint !== undefined) return [`${what} key ${key} ${complaint}`];
  return isRestrictedLabel(key) ? [`${what} key ${key} is restricted`] : [];
}

const valueComplaints = (key: string, values: readonly string[]): readonly string[] =>
  values.flatMap((value) => {
    const complaint = labelValueComplaint(value);
    return complaint === undefined ? [] : [`value ${value} of ${key} ${complaint}`];
  });

const knownTaintEffects = new Set(['NoSchedule', 'PreferNoSchedule', 'NoExecute', '']);

/** Taints and startup taints together: the same key and effect in both lists is a mistake, too. */
function taintComplaints(taints: readonly Taint[]): readonly string[] {
  const seen = new Set<string>();
  return taints.flatMap((taint) => {
    const identity = `${taint.key}:${taint.effect}`;
    const repeated = seen.has(identity) ? [`taint ${identity} is there twice`] : [];
    seen.add(identity);
    return [...oneTaintComplaints(taint), ...repeated];
  });
}

function oneTaintComplaints({ key, value = '', effect }: Taint): readonly string[] {
  const wrongKey = qualifiedNameComplaint(key);
  const wrongValue = value === '' ? undefined : qualifiedNameComplaint(value);
  return [
    ...(wrongKey === undefined ? [] : [`taint key ${key} ${wrongKey}`]),
    ...(wrongValue === undefined ? [] : [`taint value ${value} ${wrongValue}`]),
    ...(knownTaintEffects.has(effect ?? '')
      ? []
      : [`taint effect ${effect} is none of NoSchedule, PreferNoSchedule, NoExecute`]),
  ];
}

const boundOperators = new Set(['Gt', 'Lt', 'Gte', 'Lte']);
const knownCapacityTypes = new Set(['spot', 'on-demand', 'reserved']);

function requirementComplaints(requirement: RequirementWithMinValues): readonly string[] {
  const { operator, values = [], minValues = 0 } = requirement;
  const key = normalizedLabels.get(requirement.key) ?? requirement.key;
  if (key === karpenterLabels.nodePool) return [`requirement ${key} is set by the NodePool itself`];
  return [
    ...keyComplaints('requirement', key),
    ...valueComplaints(key, values),
    ...(operator === 'In' && values.length === 0 ? [`requirement ${key} with In has no values`] : []),
    ...(operator === 'In' && values.length < minValues
      ? [`requirement ${key} has fewer values than its minValues ${minValues}`]
      : []),
    ...(boundOperators.has(operator) && !isOneWholeNumber(values)
      ? [`requirement ${key} with ${operator} needs exactly one whole number`]
      : []),
    ...(key === karpenterLabels.capacityType && operator === 'In' ? capacityTypeComplaints(values, minValues) : []),
  ];
}

const isOneWholeNumber = (values: readonly string[]): boolean => values.length === 1 && /^\d+$/.test(values[0] ?? '');

/** Unknown values beside known ones are let through, as Karpenter does. */
function capacityTypeComplaints(values: readonly string[], minValues: number): readonly string[] {
  const known = values.filter((value) => knownCapacityTypes.has(value)).length;
  return known === 0 || known < minValues
    ? [
        `requirement ${karpenterLabels.capacityType} names too few of spot, on-demand and reserved: ${values.join(', ')}`,
      ]
    : [];
}

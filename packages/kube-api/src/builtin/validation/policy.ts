import { type Cause, invalidCause } from '../../schema/cause.ts';
import { valueAtPath, isObject, type JsonValue, type JsonObject, memberOf } from '../../schema/json.ts';
import { validateChoice } from './checks.ts';
import { requirementCauses } from './workloads.ts';

/** The problems of a PodDisruptionBudget. */
export function disruptionBudgetCauses(object: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  const selector = valueAtPath(spec, 'selector');
  const [least, most] = [memberOf(spec, 'minAvailable'), memberOf(spec, 'maxUnavailable')];
  return [
    ...(least !== undefined && most !== undefined
      ? [invalidCause('spec', printedBudgetSpec(spec), 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...countOrShare('spec.minAvailable', least),
    ...countOrShare('spec.maxUnavailable', most),
    ...(isObject(selector) ? requirementCauses(selector, 'spec.selector') : []),
    ...validateChoice('spec.unhealthyPodEvictionPolicy', memberOf(spec, 'unhealthyPodEvictionPolicy'), [
      'AlwaysAllow',
      'IfHealthyBudget',
    ]),
  ];
}

const printedBudgetSpec = (spec: JsonValue | undefined): JsonObject => ({
  MinAvailable: memberOf(spec, 'minAvailable') ?? null,
  Selector: memberOf(spec, 'selector') ?? null,
  MaxUnavailable: memberOf(spec, 'maxUnavailable') ?? null,
  UnhealthyPodEvictionPolicy: memberOf(spec, 'unhealthyPodEvictionPolicy') ?? null,
});

function countOrShare(field: string, value: JsonValue | undefined): Cause[] {
  if (typeof value === 'number')
    return value < 0 ? [invalidCause(field, value, 'must be greater than or equal to 0')] : [];
  if (typeof value !== 'string') return [];
  if (!/^\d+%$/.test(value)) {
    const detail =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
    return [invalidCause(field, value, detail)];
  }
  return Number(value.slice(0, -1)) > 100 ? [invalidCause(field, value, 'must not be greater than 100%')] : [];
}

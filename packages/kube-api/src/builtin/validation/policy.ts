import { type Cause, invalid } from '../../schema/cause.ts';
import { at, isObject, type Json, type JsonObject, member } from '../../schema/json.ts';
import { oneOf } from './checks.ts';
import { requirementCauses } from './workloads.ts';

/** What is wrong with a PodDisruptionBudget. */
export function disruptionBudgetCauses(object: JsonObject): Cause[] {
  const spec = member(object, 'spec');
  const selector = at(spec, 'selector');
  const [least, most] = [member(spec, 'minAvailable'), member(spec, 'maxUnavailable')];
  return [
    ...(least !== undefined && most !== undefined
      ? [invalid('spec', asPrinted(spec), 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...countOrShare('spec.minAvailable', least),
    ...countOrShare('spec.maxUnavailable', most),
    ...(isObject(selector) ? requirementCauses(selector, 'spec.selector') : []),
    ...oneOf('spec.unhealthyPodEvictionPolicy', member(spec, 'unhealthyPodEvictionPolicy'), [
      'AlwaysAllow',
      'IfHealthyBudget',
    ]),
  ];
}

const asPrinted = (spec: Json | undefined): JsonObject => ({
  MinAvailable: member(spec, 'minAvailable') ?? null,
  Selector: member(spec, 'selector') ?? null,
  MaxUnavailable: member(spec, 'maxUnavailable') ?? null,
  UnhealthyPodEvictionPolicy: member(spec, 'unhealthyPodEvictionPolicy') ?? null,
});

function countOrShare(field: string, value: Json | undefined): Cause[] {
  if (typeof value === 'number') return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
  if (typeof value !== 'string') return [];
  if (!/^\d+%$/.test(value)) {
    const detail =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
    return [invalid(field, value, detail)];
  }
  return Number(value.slice(0, -1)) > 100 ? [invalid(field, value, 'must not be greater than 100%')] : [];
}

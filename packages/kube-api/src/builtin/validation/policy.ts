import { type Cause, invalidCause } from '../../schema/cause.ts';
import { valueAtPath, type JsonValue, type JsonObject, memberOf } from '../../schema/json.ts';
import { validateChoice, validateCounts } from './checks.ts';
import { conditionListCauses } from './condition-list.ts';
import { validateCountOrShare, validateShareLimit } from './count-or-share.ts';
import { labelSelectorCauses } from './label-selector.ts';

/** The problems of a PodDisruptionBudget. */
export function disruptionBudgetCauses(object: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  const selector = valueAtPath(spec, 'selector');
  const [least, most] = [memberOf(spec, 'minAvailable'), memberOf(spec, 'maxUnavailable')];
  return [
    ...(least !== undefined && most !== undefined
      ? [invalidCause('spec', printedBudgetSpec(spec), 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...validateCountOrShare('spec.minAvailable', least),
    ...validateShareLimit('spec.minAvailable', least),
    ...validateCountOrShare('spec.maxUnavailable', most),
    ...validateShareLimit('spec.maxUnavailable', most),
    ...labelSelectorCauses(selector, 'spec.selector'),
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

/** The problems of the status of a PodDisruptionBudget. */
export const disruptionBudgetStatusCauses = (object: JsonObject): Cause[] => [
  ...conditionListCauses(object['status'], 'status'),
  ...validateCounts(object['status'], 'status', [
    'disruptionsAllowed',
    'currentHealthy',
    'desiredHealthy',
    'expectedPods',
  ]),
];

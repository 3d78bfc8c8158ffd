import { evaluateExpression, type PolicyVariables, type NamedExpression } from './expressions.ts';

/** Whether the match conditions of a webhook or a policy hold. */
export type ConditionsVerdict =
  | { readonly kind: 'hold' }
  | { readonly kind: 'fail' }
  | { readonly kind: 'error'; readonly error: string };

/** A condition that does not hold decides, even when another one cannot be computed. */
export function checkConditions(conditions: readonly NamedExpression[], variables: PolicyVariables): ConditionsVerdict {
  const errors: string[] = [];
  for (const { expression } of conditions) {
    const result = evaluateExpression(expression, variables);
    if (result.kind !== 'value') errors.push(result.error);
    else if (result.value !== true) return { kind: 'fail' };
  }
  return errors.length === 0 ? { kind: 'hold' } : { kind: 'error', error: errors.join(', ') };
}

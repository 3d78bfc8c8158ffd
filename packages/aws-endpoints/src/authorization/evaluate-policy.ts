import { conditionOperators, matchesIamWildcards } from './condition-operators.ts';
import type {
  AccessDemand,
  ConditionContext,
  IamPolicy,
  IamPolicyStatement,
  PolicyCondition,
  PolicyElement,
} from './iam-policy.ts';

/** What a policy says of a demand. What nothing allows is denied; a denial of a statement wins over every allowance. */
export type AccessDecision = 'allowed' | 'denied' | 'explicitlyDenied';

export function evaluatePolicy({ statements }: IamPolicy, demand: AccessDemand): AccessDecision {
  const matching = statements.filter((statement) => matchesDemand(statement, demand));
  if (matching.some(({ effect }) => effect === 'Deny')) return 'explicitlyDenied';
  return matching.length > 0 ? 'allowed' : 'denied';
}

function matchesDemand({ actions, resources, conditions }: IamPolicyStatement, demand: AccessDemand): boolean {
  const { action, resource, context } = demand;
  const isAction = (pattern: string) => matchesIamWildcards(action.toLowerCase(), pattern.toLowerCase());
  const isResource = (pattern: string) => matchesDemandedResource(resource, pattern, context);
  return (
    matchesAny(actions, isAction) &&
    matchesAny(resources, isResource) &&
    conditions.every((condition) => meetsCondition(condition, context))
  );
}

const matchesAny = ({ patterns, isNegated }: PolicyElement, matches: (pattern: string) => boolean): boolean =>
  patterns.some(matches) !== isNegated;

/** An action without a resource is allowed by `*` only. */
function matchesDemandedResource(resource: string, pattern: string, context: ConditionContext): boolean {
  if (resource === '*') return pattern === '*';
  const filled = fillVariables(pattern, context);
  return filled !== undefined && matchesIamWildcards(resource, filled);
}

function meetsCondition(condition: PolicyCondition, context: ConditionContext): boolean {
  const { operator, quantifier, ifExists, key, values } = condition;
  const actual = context.get(key.toLowerCase());
  if (operator === 'Null') return values.some((value) => (value.toLowerCase() === 'true') === (actual === undefined));
  const found = conditionOperators.get(operator);
  if (found === undefined) return false;
  if (actual === undefined)
    return ifExists || (quantifier === 'none' ? found.isNegated : quantifier === 'ForAllValues');
  const wanted = values.flatMap((value) => fillVariables(value, context) ?? []);
  const holds = (value: string) => wanted.some((each) => found.meets(value, each)) !== found.isNegated;
  return quantifier === 'ForAllValues' ? actual.every(holds) : actual.some(holds);
}

/** `${aws:PrincipalAccount}` stands for the value of the key. Nothing where the request has no such value. */
function fillVariables(text: string, context: ConditionContext): string | undefined {
  let isComplete = true;
  const filled = text.replaceAll(/\$\{([^}]+)\}/g, (_whole, name: string) => {
    const [key = '', fallback] = name.split(/\s*,\s*/);
    const value = context.get(key.toLowerCase())?.[0] ?? fallback?.replaceAll("'", '');
    isComplete &&= value !== undefined;
    return value ?? '';
  });
  return isComplete ? filled : undefined;
}

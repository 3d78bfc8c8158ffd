import { type Cause, invalidCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt } from '../../schema/json.ts';
import { plainExpressionProblem } from './device-names.ts';

/** What the expressions of policies and conditions may name. */
const policyNames = [
  'object',
  'oldObject',
  'request',
  'params',
  'namespaceObject',
  'variables',
  'authorizer',
  'Object',
  'JSONPatch',
  'jsonpatch',
];

/** The problems of an expression that can be told without its types: names that there are not, and numbers for a verdict. */
export function namedExpressionCauses(object: JsonObject, key: string, field: string, type: string): Cause[] {
  const expression = jsonTextAt(object, key);
  const problem = expression.trim() === '' ? undefined : plainExpressionProblem(expression, policyNames, type);
  return problem === undefined ? [] : [invalidCause(`${field}.${key}`, expression, problem)];
}

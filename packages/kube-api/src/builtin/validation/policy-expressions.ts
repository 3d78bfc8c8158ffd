import { type Cause, invalidCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt } from '../../schema/json.ts';
import { resultTypeOf } from '../../schema/cel/result-type.ts';
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

/**
 * The problems of an expression that can be told without the types of its objects: names that there are not, and verdicts of
 * another type.
 */
export function namedExpressionCauses(object: JsonObject, key: string, field: string, type: string): Cause[] {
  const expression = jsonTextAt(object, key);
  const problem =
    expression.trim() === ''
      ? undefined
      : (plainExpressionProblem(expression, policyNames, type) ?? resultProblem(expression, type));
  return problem === undefined ? [] : [invalidCause(`${field}.${key}`, expression, problem)];
}

/** A verdict and a message have a type that is known before a request. */
function resultProblem(expression: string, type: string): string | undefined {
  const found = type === 'bool' || type === 'string' ? resultTypeOf(expression) : type;
  return found === undefined || found === type ? undefined : `must evaluate to ${type} but got ${found}`;
}

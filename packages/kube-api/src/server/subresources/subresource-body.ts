import { decodeProblem } from '../../builtin/decode-problem.ts';
import { defaultBuiltin } from '../../builtin/defaults.ts';
import { badRequestError } from '../../http/status-error.ts';
import { builtinSchema, type GroupVersionKind } from '../../schema/definitions.ts';
import type { JsonObject } from '../../schema/json.ts';

/** The body of a subresource that is an object of another kind, as that kind reads it. Throws a 400 for what it cannot read. */
export function readSubresourceObject(type: GroupVersionKind, body: JsonObject): JsonObject {
  const { group, version, kind } = type;
  const schema = builtinSchema(group, version, kind);
  const problem = schema && decodeProblem(schema, body);
  if (problem !== undefined)
    throw badRequestError(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${problem}`);
  return defaultBuiltin(type, body);
}

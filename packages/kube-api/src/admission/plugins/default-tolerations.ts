import { isObject, type JsonObject, type JsonValue, memberOf } from '../../schema/json.ts';
import { asApiObject, asJson } from '../../resources/rules.ts';
import { changeMember } from '../../builtin/fill.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { WriteAttributes } from '../attributes.ts';

const fiveMinutes = 300;

/** Adds the two tolerations that keep a pod on a node that is not ready for five minutes. */
export const tolerateShortOutages = ({ object }: WriteAttributes): ApiObject =>
  asApiObject(changeMember(asJson(object), 'spec', tolerantSpec));

function tolerantSpec(spec: JsonObject): JsonObject {
  const listed = memberOf(spec, 'tolerations');
  const own = Array.isArray(listed) ? listed : [];
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter((key) => !own.some((toleration) => toleratesEviction(toleration, key)))
    .map((key): JsonValue => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: fiveMinutes }));
  return added.length === 0 ? spec : { ...spec, tolerations: [...own, ...added] };
}

function toleratesEviction(toleration: JsonValue, key: string): boolean {
  if (!isObject(toleration)) return false;
  const effect = memberOf(toleration, 'effect') ?? '';
  const named = memberOf(toleration, 'key') ?? '';
  return (effect === '' || effect === 'NoExecute') && (named === '' || named === key);
}

import { byTextOf, readOwn } from '@nodewright/apis';
import { type Cause, forbiddenCause, invalidCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { hasMembers, jsonObjectsIn, lengthOfList, membersOf } from './checks.ts';
import { podImageCauses } from './containers.ts';
import { podSpecCauses } from './pod.ts';

const updatable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Few fields of a pod spec may change. A real server also prints the difference; this one prints the rule only. */
export function podUpdateCauses(object: JsonObject, old: JsonObject): Cause[] {
  const after = memberOf(object, 'spec');
  const before = memberOf(old, 'spec');
  if (!isObject(after) || !isObject(before) || isEqualJson(after, before)) return [];
  const causes = [...podSpecCauses(after, 'spec'), ...podImageCauses(after, 'spec')];
  const resized = ['containers', 'initContainers'].filter(
    (key) => lengthOfList(memberOf(after, key)) !== lengthOfList(memberOf(before, key)),
  );
  if (resized.length > 0)
    return [
      ...causes,
      ...resized.map((key) => forbiddenCause(`spec.${key}`, 'pod updates may not add or remove containers')),
    ];
  return [
    ...causes,
    ...deadlineChangeCauses(before['activeDeadlineSeconds'], after['activeDeadlineSeconds']),
    ...tolerationChangeCauses(before, after),
    ...gateChangeCauses(before, after),
    ...(isEqualJson(fixedPodPart(after, before), fixedPodPart(before, before))
      ? []
      : [forbiddenCause('spec', updatable)]),
  ];
}

/** A deadline may come nearer. */
function deadlineChangeCauses(before: JsonValue | undefined, after: JsonValue | undefined): Cause[] {
  const field = 'spec.activeDeadlineSeconds';
  if (typeof before !== 'number') return [];
  if (typeof after !== 'number')
    return [invalidCause(field, after ?? null, 'must not update from a positive integer to nil value')];
  return after > before ? [invalidCause(field, after, 'must be less than or equal to previous value')] : [];
}

/** Tolerations may be added. Of one that is there, the seconds may change. */
function tolerationChangeCauses(before: JsonObject, after: JsonObject): Cause[] {
  const kept = new Set(jsonObjectsIn(after['tolerations']).map(textWithoutSeconds));
  const isAddition = jsonObjectsIn(before['tolerations']).every((toleration) =>
    kept.has(textWithoutSeconds(toleration)),
  );
  return isAddition
    ? []
    : [forbiddenCause('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];
}

/** One text for all tolerations of the same taint, whatever the order of their members. */
function textWithoutSeconds({ tolerationSeconds: _seconds, ...toleration }: JsonObject): string {
  return JSON.stringify(Object.entries(toleration).toSorted(byKey));
}

const byKey = byTextOf(([key]: [string, JsonValue]) => key);

const gateNames = (spec: JsonObject): string[] =>
  jsonObjectsIn(spec['schedulingGates']).map((gate) => jsonTextAt(gate, 'name'));

function gateChangeCauses(before: JsonObject, after: JsonObject): Cause[] {
  const known = new Set(gateNames(before));
  return gateNames(after).flatMap((name, index) =>
    known.has(name)
      ? []
      : [
          forbiddenCause(
            `spec.schedulingGates[${index}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  );
}

/** What may not change. A pod with scheduling gates may narrow its node selector. */
function fixedPodPart(spec: JsonObject, before: JsonObject): JsonObject {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec;
  const withoutImages = (key: string): JsonValue[] =>
    jsonObjectsIn(readOwn(spec, key)).map((container) => ({ ...container, image: '' }));
  return {
    ...withGrace(withKnownSelector(rest, before), before),
    containers: withoutImages('containers'),
    initContainers: withoutImages('initContainers'),
  };
}

function withKnownSelector(spec: JsonObject, before: JsonObject): JsonObject {
  if (gateNames(before).length === 0) return spec;
  const { nodeSelector, ...rest } = spec;
  const wanted = membersOf(before['nodeSelector']);
  const isNarrower = wanted.every(([key, value]) => memberOf(nodeSelector, key) === value);
  if (!isNarrower) return spec;
  return hasMembers(before['nodeSelector']) ? { ...rest, nodeSelector: Object.fromEntries(wanted) } : rest;
}

/** A negative grace period may become one second. */
function withGrace(spec: JsonObject, before: JsonObject): JsonObject {
  const was = before['terminationGracePeriodSeconds'];
  return typeof was === 'number' && was < 0 && spec['terminationGracePeriodSeconds'] === 1
    ? { ...spec, terminationGracePeriodSeconds: was }
    : spec;
}

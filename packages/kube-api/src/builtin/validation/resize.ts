import { type Cause, forbiddenCause, invalidCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonValue, type JsonObject, memberOf, valueAtPath } from '../../schema/json.ts';
import { podQosClass } from '../qos.ts';
import { checkEachItem, jsonObjectsIn, membersOf } from './checks.ts';
import { claimUseCauses, podClaimNames } from './container-parts.ts';
import { resourceCauses } from './container-resources.ts';

/** The problems of new requests and limits of a running pod. */
export function resizeCauses(object: JsonObject, old: JsonObject): Cause[] {
  const [before, after] = [memberOf(old, 'spec'), memberOf(object, 'spec')];
  if (!isObject(after) || !isObject(before)) return [];
  const qos = podQosClass(object);
  return [
    ...checkEachItem(after, 'containers', 'spec', (container, field) => [
      ...claimUseCauses(container, field, podClaimNames(after)),
      ...resourceCauses(container, `${field}.resources`),
    ]),
    ...(qos === podQosClass(old)
      ? []
      : [invalidCause('spec', qos, 'Pod QOS Class may not change as a result of resizing')]),
    ...jsonObjectsIn(before['containers']).flatMap((container, index) =>
      removalCauses(container, jsonObjectsIn(after['containers'])[index], index),
    ),
    ...(isEqualJson(otherResources(before), otherResources(after))
      ? []
      : [forbiddenCause('spec', 'only cpu and memory resources are mutable')]),
  ];
}

const mutable = ['cpu', 'memory'];

function removalCauses(before: JsonObject, after: JsonObject | undefined, index: number): Cause[] {
  return ['requests', 'limits'].flatMap((list) => {
    const isRemoved = mutable.some(
      (name) =>
        valueAtPath(before, 'resources', list, name) !== undefined &&
        valueAtPath(after, 'resources', list, name) === undefined,
    );
    return isRemoved
      ? [forbiddenCause(`spec.containers[${index}].resources.${list}`, `resource ${list} cannot be removed`)]
      : [];
  });
}

/** The resources that a running container keeps. */
const otherResources = (spec: JsonObject): JsonValue[] =>
  jsonObjectsIn(spec['containers']).map((container) =>
    ['requests', 'limits'].map((list) =>
      Object.fromEntries(
        membersOf(valueAtPath(container, 'resources', list)).filter(([name]) => !mutable.includes(name)),
      ),
    ),
  );

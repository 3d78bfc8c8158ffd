import { type Cause, duplicateCause, forbiddenCause } from '../../schema/cause.ts';
import { isEqualJson, isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { checkEachItem, forbidMembers, hasMembers, jsonObjectsIn } from './checks.ts';
import { commonContainerCauses, podContextOf } from './containers.ts';

/** The problems of the containers that are added to a running pod. What is there stays as it is. */
export function ephemeralContainerCauses(object: JsonObject, old: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  const pod = podContextOf(isObject(spec) ? spec : {});
  const others = ['containers', 'initContainers'].flatMap((key) => containerNamesIn(memberOf(spec, key)));
  const own = containerNamesIn(memberOf(spec, 'ephemeralContainers'));
  const seen = new Set(others);
  return [
    ...checkEachItem(spec, 'ephemeralContainers', 'spec', (container, field) => {
      const name = jsonTextAt(container, 'name');
      const isTaken = seen.has(name);
      seen.add(name);
      return [
        ...commonContainerCauses(container, { field, pod }),
        ...(isTaken ? [duplicateCause(`${field}.name`, name)] : []),
        ...targetContainerCauses(jsonTextAt(container, 'targetContainerName'), field, others),
        ...forbiddenMemberCauses(container, field),
        ...subPathMountCauses(container, field),
      ];
    }),
    ...changeCauses(old, own, spec),
  ];
}

const notForDebugging = 'cannot be set for an Ephemeral Container';

const forbiddenMemberCauses = (container: JsonObject, field: string): Cause[] => [
  ...forbidMembers(container, field, servingMembers, notForDebugging),
  ...(hasMembers(container['resources']) ? [forbiddenCause(`${field}.resources`, notForDebugging)] : []),
];

const subPathMountCauses = (container: JsonObject, field: string): Cause[] =>
  checkEachItem(container, 'volumeMounts', field, (mount, place) =>
    ['subPath', 'subPathExpr'].flatMap((key) =>
      jsonTextAt(mount, key) === '' ? [] : [forbiddenCause(`${place}.${key}`, notForDebugging)],
    ),
  );

const servingMembers = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
];

const containerNamesIn = (list: JsonValue | undefined): string[] =>
  jsonObjectsIn(list).map((container) => jsonTextAt(container, 'name'));

function targetContainerCauses(target: string, field: string, containers: readonly string[]): Cause[] {
  if (target === '' || containers.includes(target)) return [];
  return [
    {
      reason: 'FieldValueNotFound',
      message: `Not found: ${JSON.stringify(target)}`,
      field: `${field}.targetContainerName`,
    },
  ];
}

function changeCauses(old: JsonObject, names: readonly string[], spec: JsonValue | undefined): Cause[] {
  const kept = new Set(names);
  const after = new Map(
    jsonObjectsIn(memberOf(spec, 'ephemeralContainers'))
      .map((container) => [jsonTextAt(container, 'name'), container] as const)
      .toReversed(),
  );
  return jsonObjectsIn(memberOf(memberOf(old, 'spec'), 'ephemeralContainers')).flatMap((before) => {
    const name = jsonTextAt(before, 'name');
    const quoted = JSON.stringify(name);
    const now = after.get(name);
    const field = 'spec.ephemeralContainers';
    if (!kept.has(name)) return [forbiddenCause(field, `existing ephemeral containers ${quoted} may not be removed\n`)];
    return isEqualJson(before, now)
      ? []
      : [forbiddenCause(field, `existing ephemeral containers ${quoted} may not be changed\n`)];
  });
}

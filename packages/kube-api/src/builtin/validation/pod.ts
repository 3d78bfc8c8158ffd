import { byTextOf, readOwn } from '@nodewright/apis';
import { type Cause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { valueAtPath, isEqualJson, isObject, type JsonValue, type JsonObject, memberOf } from '../../schema/json.ts';
import { jsonObjectsIn, validateChoice, validatePresence } from './checks.ts';
import { containerCauses } from './containers.ts';

/** The problems of a pod spec, in a pod or in a template. */
export function podSpecCauses(spec: JsonValue | undefined, field: string): Cause[] {
  if (!isObject(spec)) return [requiredCause(`${field}.containers`)];
  return [
    ...containerCauses(spec, field),
    ...validateChoice(`${field}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never']),
    ...validateChoice(`${field}.dnsPolicy`, spec['dnsPolicy'], [
      'ClusterFirst',
      'ClusterFirstWithHostNet',
      'Default',
      'None',
    ]),
    ...jsonObjectsIn(spec['tolerations']).flatMap((item, index) =>
      tolerationCauses(item, `${field}.tolerations[${index}]`),
    ),
    ...jsonObjectsIn(spec['topologySpreadConstraints']).flatMap((item, index) =>
      spreadCauses(item, `${field}.topologySpreadConstraints[${index}]`),
    ),
  ];
}

function tolerationCauses(toleration: JsonObject, field: string): Cause[] {
  const { operator = 'Equal', key = '', value = '', effect = '' } = toleration;
  return [
    ...(key === '' && operator !== 'Exists'
      ? [
          invalidCause(
            `${field}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(operator === 'Exists' && value !== ''
      ? [invalidCause(`${field}.operator`, toleration, "value must be empty when `operator` is 'Exists'")]
      : []),
    ...validateChoice(`${field}.operator`, operator, ['Equal', 'Exists', 'Lt', 'Gt']),
    ...(effect === ''
      ? []
      : validateChoice(`${field}.effect`, effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])),
    ...(toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute'
      ? [invalidCause(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
  ];
}

function spreadCauses(constraint: JsonObject, field: string): Cause[] {
  const { maxSkew = 0 } = constraint;
  return [
    ...(typeof maxSkew === 'number' && maxSkew <= 0
      ? [invalidCause(`${field}.maxSkew`, maxSkew, 'must be greater than zero')]
      : []),
    ...validatePresence(`${field}.topologyKey`, constraint['topologyKey']),
    ...validateChoice(`${field}.whenUnsatisfiable`, constraint['whenUnsatisfiable'] ?? '', [
      'DoNotSchedule',
      'ScheduleAnyway',
    ]),
  ];
}

const updatable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Few fields of a pod spec may change. A real server also prints the difference; this one prints the rule only. */
export function podUpdateCauses(object: JsonObject, old: JsonObject): Cause[] {
  const after = memberOf(object, 'spec');
  const before = memberOf(old, 'spec');
  if (!isObject(after) || !isObject(before) || isEqualJson(after, before)) return [];
  const tolerated = new Set(tolerationsOf(after).map(textOfMembers));
  const isAddition = tolerationsOf(before).every((toleration) => tolerated.has(textOfMembers(toleration)));
  return isAddition && isEqualJson(fixedPart(after), fixedPart(before)) ? [] : [forbiddenCause('spec', updatable)];
}

/** One text for all objects with the same members, whatever their order. */
const textOfMembers = (object: JsonObject): string => JSON.stringify(Object.entries(object).toSorted(byKey));

const byKey = byTextOf(([key]: [string, JsonValue]) => key);

const tolerationsOf = (spec: JsonObject): JsonObject[] => jsonObjectsIn(spec['tolerations']);

/** Scheduling gates may be removed, and a gated pod may change its node selector and affinity. */
function fixedPart(spec: JsonObject): JsonObject {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec;
  const withoutImages = (key: string): JsonValue[] =>
    jsonObjectsIn(readOwn(spec, key)).map((container) => ({ ...container, image: '' }));
  return { ...rest, containers: withoutImages('containers'), initContainers: withoutImages('initContainers') };
}

/** The labels of a pod template. */
export const podTemplateLabels = (object: JsonObject): JsonValue =>
  valueAtPath(object, 'spec', 'template', 'metadata', 'labels') ?? {};

import { readOwn } from '@nodewright/apis';
import { type Cause, forbidden, invalid, required } from '../../schema/cause.ts';
import { at, equal, isObject, type Json, type JsonObject, member } from '../../schema/json.ts';
import { objectsIn, oneOf, present } from './checks.ts';
import { containerCauses } from './containers.ts';

/** What is wrong with a pod's spec, in a pod or in a template. */
export function podSpecCauses(spec: Json | undefined, field: string): Cause[] {
  if (!isObject(spec)) return [required(`${field}.containers`)];
  return [
    ...containerCauses(spec, field),
    ...oneOf(`${field}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never']),
    ...oneOf(`${field}.dnsPolicy`, spec['dnsPolicy'], ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']),
    ...objectsIn(spec['tolerations']).flatMap((item, index) =>
      tolerationCauses(item, `${field}.tolerations[${index}]`),
    ),
    ...objectsIn(spec['topologySpreadConstraints']).flatMap((item, index) =>
      spreadCauses(item, `${field}.topologySpreadConstraints[${index}]`),
    ),
  ];
}

function tolerationCauses(toleration: JsonObject, field: string): Cause[] {
  const { operator = 'Equal', key = '', value = '', effect = '' } = toleration;
  return [
    ...(key === '' && operator !== 'Exists'
      ? [
          invalid(
            `${field}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(operator === 'Exists' && value !== ''
      ? [invalid(`${field}.operator`, toleration, "value must be empty when `operator` is 'Exists'")]
      : []),
    ...oneOf(`${field}.operator`, operator, ['Equal', 'Exists', 'Lt', 'Gt']),
    ...(effect === '' ? [] : oneOf(`${field}.effect`, effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])),
    ...(toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute'
      ? [invalid(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
  ];
}

function spreadCauses(constraint: JsonObject, field: string): Cause[] {
  const { maxSkew = 0 } = constraint;
  return [
    ...(typeof maxSkew === 'number' && maxSkew <= 0
      ? [invalid(`${field}.maxSkew`, maxSkew, 'must be greater than zero')]
      : []),
    ...present(`${field}.topologyKey`, constraint['topologyKey']),
    ...oneOf(`${field}.whenUnsatisfiable`, constraint['whenUnsatisfiable'] ?? '', ['DoNotSchedule', 'ScheduleAnyway']),
  ];
}

const updatable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** A pod's spec is nearly immutable. The server prints the difference too; we name the rule only. */
export function podUpdateCauses(object: JsonObject, old: JsonObject): Cause[] {
  const after = member(object, 'spec');
  const before = member(old, 'spec');
  if (!isObject(after) || !isObject(before) || equal(after, before)) return [];
  const isAddition = tolerationsOf(before).every((toleration) =>
    tolerationsOf(after).some((own) => equal(own, toleration)),
  );
  return isAddition && equal(fixedPart(after), fixedPart(before)) ? [] : [forbidden('spec', updatable)];
}

const tolerationsOf = (spec: JsonObject): JsonObject[] => objectsIn(spec['tolerations']);

/** Gates may be taken away, and a gated pod may still be steered. */
function fixedPart(spec: JsonObject): JsonObject {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec;
  const withoutImages = (key: string): Json[] =>
    objectsIn(readOwn(spec, key)).map((container) => ({ ...container, image: '' }));
  return { ...rest, containers: withoutImages('containers'), initContainers: withoutImages('initContainers') };
}

/** The labels that a template gives its pods. */
export const templateLabels = (object: JsonObject): Json => at(object, 'spec', 'template', 'metadata', 'labels') ?? {};

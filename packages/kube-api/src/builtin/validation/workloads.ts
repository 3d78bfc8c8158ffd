import { labelCauses } from '../../schema/metadata/check-metadata.ts';
import { type Cause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import {
  valueAtPath,
  isEqualJson,
  isObject,
  type JsonValue,
  type JsonObject,
  jsonTextAt,
  mapMembers,
  memberOf,
} from '../../schema/json.ts';
import { validateImmutable, validateNotNegative, jsonObjectsIn, validateChoice } from './checks.ts';
import { podSpecCauses, podTemplateLabels } from './pod.ts';

export type ValidatedWorkload = { readonly object: JsonObject; readonly old?: JsonObject };

/** The problems of a workload: an object with a pod template and a selector. */
export function workloadCauses({ object, old }: ValidatedWorkload): Cause[] {
  const restartPolicy = valueAtPath(object, 'spec', 'template', 'spec', 'restartPolicy');
  return [
    ...selectorCauses(object),
    ...validateNotNegative('spec.replicas', valueAtPath(object, 'spec', 'replicas')),
    ...labelCauses(podTemplateLabels(object), 'spec.template.metadata.labels'),
    ...podSpecCauses(valueAtPath(object, 'spec', 'template', 'spec'), 'spec.template.spec'),
    ...(['OnFailure', 'Never'].includes(jsonTextAt(object, 'spec', 'template', 'spec', 'restartPolicy'))
      ? validateChoice('spec.template.spec.restartPolicy', restartPolicy, ['Always'])
      : []),
    ...(old === undefined
      ? []
      : validateImmutable(
          'spec.selector',
          valueAtPath(old, 'spec', 'selector'),
          valueAtPath(object, 'spec', 'selector'),
        )),
  ];
}

/**
 * The problems of a StatefulSet. Kubernetes does not validate the pod spec in its template, whose containers may mount the
 * claims of `volumeClaimTemplates`. A bad pod spec shows when the first pod is created.
 */
export function statefulSetCauses({ object, old }: ValidatedWorkload): Cause[] {
  const template = valueAtPath(object, 'spec', 'template');
  const podSpec = memberOf(template, 'spec');
  return [
    ...selectorCauses(object, 'statefulset'),
    ...validateNotNegative('spec.replicas', valueAtPath(object, 'spec', 'replicas')),
    ...labelCauses(podTemplateLabels(object), 'spec.template.labels'),
    ...validateChoice('spec.template.spec.restartPolicy', memberOf(podSpec, 'restartPolicy'), ['Always']),
    ...(memberOf(podSpec, 'activeDeadlineSeconds') === undefined
      ? []
      : [
          forbiddenCause(
            'spec.template.spec.activeDeadlineSeconds',
            'activeDeadlineSeconds in StatefulSet is not Supported',
          ),
        ]),
    ...(old === undefined || isEqualJson(fixedSetSpec(old), fixedSetSpec(object))
      ? []
      : [forbiddenCause('spec', fixedSetFields)]),
  ];
}

const fixedSetFields =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

const changeableSetFields: ReadonlySet<string> = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

/** The fields of a StatefulSet that never change. */
const fixedSetSpec = (object: JsonObject): JsonObject =>
  mapMembers(objectOrEmpty(memberOf(object, 'spec')), (value, key) =>
    changeableSetFields.has(key) ? undefined : value,
  );

function selectorCauses(object: JsonObject, workload = 'deployment'): Cause[] {
  const selector = valueAtPath(object, 'spec', 'selector');
  const labels = podTemplateLabels(object);
  const mismatch = invalidCause('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');
  if (!isObject(selector)) return [requiredCause('spec.selector'), mismatch];
  if (isEmptySelector(selector))
    return [invalidCause('spec.selector', {}, `empty selector is invalid for ${workload}`), mismatch];
  return [...requirementCauses(selector, 'spec.selector'), ...(selects(selector, labels) ? [] : [mismatch])];
}

const isEmptySelector = (selector: JsonObject): boolean =>
  Object.keys(objectOrEmpty(selector['matchLabels'])).length === 0 &&
  jsonObjectsIn(selector['matchExpressions']).length === 0;

const objectOrEmpty = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

/** The problems of the expressions of a label selector. */
export function requirementCauses(selector: JsonObject, field: string): Cause[] {
  return jsonObjectsIn(selector['matchExpressions']).flatMap((requirement, index) => {
    const place = `${field}.matchExpressions[${index}]`;
    const { operator = '' } = requirement;
    const values = Array.isArray(requirement['values']) ? requirement['values'] : [];
    const wantsValues = operator === 'In' || operator === 'NotIn';
    const wantsNone = operator === 'Exists' || operator === 'DoesNotExist';
    if (!wantsValues && !wantsNone)
      return [invalidCause(`${place}.operator`, operator, 'not a valid selector operator')];
    if (wantsValues && values.length === 0) {
      return [requiredCause(`${place}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    }
    return wantsNone && values.length > 0
      ? [
          {
            reason: 'FieldValueForbidden',
            message: "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            field: `${place}.values`,
          } as const,
        ]
      : [];
  });
}

function selects(selector: JsonObject, labels: JsonValue): boolean {
  const wanted = Object.entries(objectOrEmpty(selector['matchLabels']));
  return (
    wanted.every(([key, value]) => memberOf(labels, key) === value) &&
    jsonObjectsIn(selector['matchExpressions']).every((requirement) => meets(requirement, labels))
  );
}

function meets(requirement: JsonObject, labels: JsonValue): boolean {
  const value = memberOf(labels, jsonTextAt(requirement, 'key'));
  const values = Array.isArray(requirement['values']) ? requirement['values'] : [];
  switch (requirement['operator']) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}

/** The pods of a job must terminate, and its template is immutable. */
export function jobCauses({ object, old }: ValidatedWorkload): Cause[] {
  const spec = memberOf(object, 'spec');
  return [
    ...['parallelism', 'completions', 'backoffLimit'].flatMap((key) =>
      validateNotNegative(`spec.${key}`, memberOf(spec, key)),
    ),
    ...podSpecCauses(valueAtPath(spec, 'template', 'spec'), 'spec.template.spec'),
    ...(jsonTextAt(spec, 'template', 'spec', 'restartPolicy') === 'Always'
      ? validateChoice('spec.template.spec.restartPolicy', 'Always', ['OnFailure', 'Never'])
      : []),
    ...(old === undefined
      ? []
      : validateImmutable('spec.template', valueAtPath(old, 'spec', 'template'), valueAtPath(spec, 'template'))),
  ];
}

import { labelCauses } from '../../schema/metadata/check-metadata.ts';
import { type Cause, invalid, required } from '../../schema/cause.ts';
import { at, isObject, type Json, type JsonObject, member, textAt } from '../../schema/json.ts';
import { immutable, notNegative, objectsIn, oneOf } from './checks.ts';
import { podSpecCauses, templateLabels } from './pod.ts';

export type Workload = { readonly object: JsonObject; readonly old?: JsonObject };

/** What is wrong with a kind that makes pods from a template and finds them by a selector. */
export function workloadCauses({ object, old }: Workload): Cause[] {
  const restartPolicy = at(object, 'spec', 'template', 'spec', 'restartPolicy');
  return [
    ...selectorCauses(object),
    ...notNegative('spec.replicas', at(object, 'spec', 'replicas')),
    ...labelCauses(templateLabels(object), 'spec.template.metadata.labels'),
    ...podSpecCauses(at(object, 'spec', 'template', 'spec'), 'spec.template.spec'),
    ...(['OnFailure', 'Never'].includes(textAt(object, 'spec', 'template', 'spec', 'restartPolicy'))
      ? oneOf('spec.template.spec.restartPolicy', restartPolicy, ['Always'])
      : []),
    ...(old === undefined
      ? []
      : immutable('spec.selector', at(old, 'spec', 'selector'), at(object, 'spec', 'selector'))),
  ];
}

function selectorCauses(object: JsonObject): Cause[] {
  const selector = at(object, 'spec', 'selector');
  const labels = templateLabels(object);
  const mismatch = invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');
  if (!isObject(selector)) return [required('spec.selector'), mismatch];
  if (isEmpty(selector)) return [invalid('spec.selector', {}, 'empty selector is invalid for deployment'), mismatch];
  return [...requirementCauses(selector, 'spec.selector'), ...(selects(selector, labels) ? [] : [mismatch])];
}

const isEmpty = (selector: JsonObject): boolean =>
  Object.keys(asObject(selector['matchLabels'])).length === 0 && objectsIn(selector['matchExpressions']).length === 0;

const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** What is wrong with the expressions of a label selector. */
export function requirementCauses(selector: JsonObject, field: string): Cause[] {
  return objectsIn(selector['matchExpressions']).flatMap((requirement, index) => {
    const place = `${field}.matchExpressions[${index}]`;
    const { operator = '' } = requirement;
    const values = Array.isArray(requirement['values']) ? requirement['values'] : [];
    const wantsValues = operator === 'In' || operator === 'NotIn';
    const wantsNone = operator === 'Exists' || operator === 'DoesNotExist';
    if (!wantsValues && !wantsNone) return [invalid(`${place}.operator`, operator, 'not a valid selector operator')];
    if (wantsValues && values.length === 0) {
      return [required(`${place}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
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

function selects(selector: JsonObject, labels: Json): boolean {
  const wanted = Object.entries(asObject(selector['matchLabels']));
  return (
    wanted.every(([key, value]) => member(labels, key) === value) &&
    objectsIn(selector['matchExpressions']).every((requirement) => meets(requirement, labels))
  );
}

function meets(requirement: JsonObject, labels: Json): boolean {
  const value = member(labels, textAt(requirement, 'key'));
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

/** A job's pods end, and its template never changes. */
export function jobCauses({ object, old }: Workload): Cause[] {
  const spec = member(object, 'spec');
  return [
    ...['parallelism', 'completions', 'backoffLimit'].flatMap((key) => notNegative(`spec.${key}`, member(spec, key))),
    ...podSpecCauses(at(spec, 'template', 'spec'), 'spec.template.spec'),
    ...(textAt(spec, 'template', 'spec', 'restartPolicy') === 'Always'
      ? oneOf('spec.template.spec.restartPolicy', 'Always', ['OnFailure', 'Never'])
      : []),
    ...(old === undefined ? [] : immutable('spec.template', at(old, 'spec', 'template'), at(spec, 'template'))),
  ];
}

import { annotationCauses, labelCauses } from '../../schema/metadata/check-metadata.ts';
import { type Cause, forbiddenCause } from '../../schema/cause.ts';
import { type JsonValue, valueAtPath } from '../../schema/json.ts';
import { lengthOfList } from './checks.ts';
import { podSpecCauses } from './pod.ts';

/** The problems of the template of a workload's pods. */
export const podTemplateCauses = (template: JsonValue | undefined, field: string): Cause[] => [
  ...templateMetadataCauses(template, field),
  ...podSpecCauses(valueAtPath(template, 'spec'), `${field}.spec`),
  ...(lengthOfList(valueAtPath(template, 'spec', 'ephemeralContainers')) > 0
    ? [forbiddenCause(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
    : []),
];

/** The problems of the labels and annotations of a template. */
export const templateMetadataCauses = (template: JsonValue | undefined, field: string): Cause[] => [
  ...labelCauses(valueAtPath(template, 'metadata', 'labels'), `${field}.labels`),
  ...annotationCauses(valueAtPath(template, 'metadata', 'annotations'), `${field}.annotations`),
];

/** The labels of a workload's pods. */
export const podTemplateLabels = (object: JsonValue): JsonValue =>
  valueAtPath(object, 'spec', 'template', 'metadata', 'labels') ?? {};

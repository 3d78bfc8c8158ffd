import { validateDnsLabel } from '../../schema/metadata/names.ts';
import { type Cause, forbiddenCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import {
  isEqualJson,
  isObject,
  type JsonValue,
  type JsonObject,
  jsonTextAt,
  mapMembers,
  memberOf,
  valueAtPath,
} from '../../schema/json.ts';
import { checkEachItem, jsonObjectsIn, validateCounts, validateImmutable } from './checks.ts';
import { hasNoTerms, labelSelectorCauses, selectsLabels } from './label-selector.ts';
import { claimSpecCauses } from './persistent-volume-claim.ts';
import { podTemplateCauses, podTemplateLabels } from './pod-template.ts';
import { daemonSetUpdateCauses, deploymentUpdateCauses } from './update-strategies.ts';

export type ValidatedWorkload = { readonly object: JsonObject; readonly old?: JsonObject };

/** The problems of a Deployment. */
export function deploymentCauses({ object, old }: ValidatedWorkload): Cause[] {
  const spec = memberOf(object, 'spec');
  return [
    ...validateCounts(spec, 'spec', ['replicas']),
    ...selectorCauses(object, 'deployment'),
    ...podTemplateCauses(memberOf(spec, 'template'), 'spec.template'),
    ...lastingPodCauses(spec, 'ReplicaSet'),
    ...deploymentUpdateCauses(memberOf(spec, 'strategy'), 'spec.strategy'),
    ...validateCounts(spec, 'spec', ['minReadySeconds', 'revisionHistoryLimit']),
    ...deadlineCauses(spec),
    ...selectorChangeCauses({ object, ...(old && { old }) }),
  ];
}

function deadlineCauses(spec: JsonValue | undefined): Cause[] {
  const deadline = memberOf(spec, 'progressDeadlineSeconds');
  const ready = memberOf(spec, 'minReadySeconds') ?? 0;
  return [
    ...validateCounts(spec, 'spec', ['progressDeadlineSeconds']),
    ...(typeof deadline === 'number' && typeof ready === 'number' && deadline <= ready
      ? [invalidCause('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

/** The problems of a ReplicaSet. */
export function replicaSetCauses({ object, old }: ValidatedWorkload): Cause[] {
  const spec = memberOf(object, 'spec');
  return [
    ...validateCounts(spec, 'spec', ['replicas', 'minReadySeconds']),
    ...selectorCauses(object, 'deployment'),
    ...podTemplateCauses(memberOf(spec, 'template'), 'spec.template'),
    ...lastingPodCauses(spec, 'ReplicaSet'),
    ...selectorChangeCauses({ object, ...(old && { old }) }),
  ];
}

/** The problems of a ReplicationController, whose selector is a set of labels. */
export function replicationControllerCauses({ object }: ValidatedWorkload): Cause[] {
  const spec = memberOf(object, 'spec');
  const selector = memberOf(spec, 'selector');
  const labels = podTemplateLabels(object);
  return [
    ...validateCounts(spec, 'spec', ['minReadySeconds']),
    ...(isObject(selector) && Object.keys(selector).length > 0 ? [] : [requiredCause('spec.selector')]),
    ...validateCounts(spec, 'spec', ['replicas']),
    ...(isObject(selector) &&
    memberOf(spec, 'template') !== undefined &&
    !selectsLabels({ matchLabels: selector }, labels)
      ? [invalidCause('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')]
      : []),
    ...(memberOf(spec, 'template') === undefined
      ? [requiredCause('spec.template')]
      : [
          ...podTemplateCauses(memberOf(spec, 'template'), 'spec.template'),
          ...lastingPodCauses(spec, 'ReplicationController'),
        ]),
  ];
}

/** The problems of a DaemonSet. */
export function daemonSetCauses({ object, old }: ValidatedWorkload): Cause[] {
  const spec = memberOf(object, 'spec');
  return [
    ...selectorCauses(object, 'daemonset'),
    ...podTemplateCauses(memberOf(spec, 'template'), 'spec.template'),
    ...lastingPodCauses(spec, 'DaemonSet'),
    ...validateCounts(spec, 'spec', ['minReadySeconds']),
    ...daemonSetUpdateCauses(memberOf(spec, 'updateStrategy'), 'spec.updateStrategy'),
    ...validateCounts(spec, 'spec', ['revisionHistoryLimit']),
    ...selectorChangeCauses({ object, ...(old && { old }) }),
  ];
}

/** The problems of a StatefulSet. The containers of its pods may mount the claims of `volumeClaimTemplates`. */
export function statefulSetCauses({ object, old }: ValidatedWorkload): Cause[] {
  const spec = memberOf(object, 'spec');
  const service = jsonTextAt(spec, 'serviceName');
  return [
    ...managementCauses(jsonTextAt(spec, 'podManagementPolicy')),
    ...setStrategyCauses(memberOf(spec, 'updateStrategy')),
    ...retentionCauses(memberOf(spec, 'persistentVolumeClaimRetentionPolicy')),
    ...(old === undefined
      ? checkEachItem(spec, 'volumeClaimTemplates', 'spec', (template, field) =>
          claimSpecCauses(memberOf(template, 'spec'), `${field}.spec`),
        )
      : []),
    ...validateCounts(spec, 'spec', ['replicas', 'minReadySeconds']),
    ...validateCounts(memberOf(spec, 'ordinals'), 'spec.ordinals', ['start']),
    ...selectorCauses(object, 'statefulset'),
    ...podTemplateCauses(setTemplate(spec), 'spec.template'),
    ...lastingPodCauses(spec, 'StatefulSet'),
    ...(old === undefined && service !== ''
      ? validateDnsLabel(service).map((problem) => invalidCause('spec.serviceName', service, problem))
      : []),
    ...(old === undefined ? [] : setChangeCauses(old, object)),
  ];
}

function managementCauses(policy: string): Cause[] {
  const field = 'spec.podManagementPolicy';
  if (policy === '') return [requiredCause(field)];
  return ['OrderedReady', 'Parallel'].includes(policy)
    ? []
    : [invalidCause(field, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function setStrategyCauses(strategy: JsonValue | undefined): Cause[] {
  const field = 'spec.updateStrategy';
  const rolling = memberOf(strategy, 'rollingUpdate');
  const type = jsonTextAt(strategy, 'type');
  switch (type) {
    case '':
      return [requiredCause(field)];
    case 'OnDelete':
      return rolling === undefined
        ? []
        : [invalidCause(`${field}.rollingUpdate`, rolling, "only allowed for updateStrategy 'RollingUpdate'")];
    case 'RollingUpdate':
      return validateCounts(rolling, `${field}.rollingUpdate`, ['partition']);
    default:
      return [invalidCause(field, strategy ?? {}, "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

const retentionCauses = (policy: JsonValue | undefined): Cause[] =>
  policy === undefined
    ? []
    : ['whenDeleted', 'whenScaled'].flatMap((key) => {
        const value = jsonTextAt(policy, key);
        return value === 'Retain' || value === 'Delete'
          ? []
          : [notSupportedCause(`spec.persistentVolumeClaimRetentionPolicy.${key}`, value, ['Retain', 'Delete'])];
      });

/** The template of the pods of a set: it gets the volumes of the claims, and its host names are not its own. */
function setTemplate(spec: JsonValue | undefined): JsonValue | undefined {
  const template = memberOf(spec, 'template');
  const pod = memberOf(template, 'spec');
  if (!isObject(template) || !isObject(pod)) return template;
  const { hostname: _host, subdomain: _domain, ...rest } = pod;
  const claims = new Set(
    jsonObjectsIn(memberOf(spec, 'volumeClaimTemplates')).map((claim) => jsonTextAt(claim, 'metadata', 'name')),
  );
  const own = jsonObjectsIn(pod['volumes']).filter((volume) => !claims.has(jsonTextAt(volume, 'name')));
  const claimed = [...claims].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...template, spec: { ...rest, volumes: [...claimed, ...own] } };
}

/** The pods of a lasting workload restart always and have no end. */
function lastingPodCauses(spec: JsonValue | undefined, kind: string): Cause[] {
  const pod = valueAtPath(spec, 'template', 'spec');
  const policy = jsonTextAt(pod, 'restartPolicy');
  const field = 'spec.template.spec';
  return [
    ...(policy === 'Always' ? [] : [notSupportedCause(`${field}.restartPolicy`, policy, ['Always'])]),
    ...(memberOf(pod, 'activeDeadlineSeconds') === undefined
      ? []
      : [forbiddenCause(`${field}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)]),
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

const setChangeCauses = (old: JsonObject, object: JsonObject): Cause[] =>
  isEqualJson(fixedSetSpec(old), fixedSetSpec(object)) ? [] : [forbiddenCause('spec', fixedSetFields)];

/** The fields of a StatefulSet that never change. */
const fixedSetSpec = (object: JsonObject): JsonObject =>
  mapMembers(objectOrEmpty(memberOf(object, 'spec')), (value, key) =>
    changeableSetFields.has(key) ? undefined : value,
  );

const objectOrEmpty = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

function selectorCauses(object: JsonObject, workload: string): Cause[] {
  const selector = valueAtPath(object, 'spec', 'selector');
  const labels = podTemplateLabels(object);
  const mismatch = invalidCause('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');
  // A daemon set without a selector selects nothing, and that is all that is told.
  if (!isObject(selector)) return workload === 'daemonset' ? [mismatch] : [requiredCause('spec.selector'), mismatch];
  if (hasNoTerms(selector)) return [invalidCause('spec.selector', {}, `empty selector is invalid for ${workload}`)];
  const problems = labelSelectorCauses(selector, 'spec.selector');
  if (problems.length > 0)
    return [
      ...problems,
      ...(tellsTwice(object) ? [invalidCause('spec.selector', selector, 'invalid label selector')] : []),
    ];
  return selectsLabels(selector, labels) ? [] : [mismatch];
}

/** Most kinds tell of a bad selector once more. */
const tellsTwice = ({ kind }: JsonObject): boolean => kind !== 'DaemonSet';

const selectorChangeCauses = ({ object, old }: ValidatedWorkload): Cause[] =>
  old === undefined
    ? []
    : validateImmutable('spec.selector', valueAtPath(old, 'spec', 'selector'), valueAtPath(object, 'spec', 'selector'));

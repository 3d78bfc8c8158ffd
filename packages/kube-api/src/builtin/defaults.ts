import { readOwn } from '@nodewright/apis';
import { isObject, type Json, type JsonObject, member, textAt } from '../schema/json.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { canonical } from './canonical.ts';
import { builtinSchema, type GroupVersionKind } from './definitions.ts';
import { absent, fillIn, within, withinEach } from './fill.ts';
import { podDefaults, podSpecDefaults } from './pod-defaults.ts';
import { serviceDefaults } from './service-defaults.ts';
import { volumeDefaults } from './volume-defaults.ts';
import { workloadDefaults } from './workload-defaults.ts';

type Defaults = (object: JsonObject) => JsonObject;

/**
 * An object of a built-in kind as the API server would keep it: empty members left out, its types' zero values and
 * the defaults that no OpenAPI document tells filled in. Nothing here depends on other objects; what admission adds
 * to a new pod is `admitPod`. Doing it twice changes nothing.
 */
export function defaultBuiltin(type: GroupVersionKind, object: JsonObject): JsonObject {
  const schema = builtinSchema(type.group, type.version, type.kind);
  if (schema === undefined) return object;
  const reprinted = canonical(schema, object);
  const filled = withConditionTimes(
    readOwn(kindDefaults, `${type.group}/${type.kind}`)?.(reprinted) ?? reprinted,
    type,
  );
  const complete = applyDefaults(schema, filled);
  return isObject(complete) ? complete : filled;
}

const kindDefaults: Readonly<Record<string, Defaults>> = {
  '/Pod': podDefaults,
  '/PodTemplate': (template) => within(template, 'template', (inner) => within(inner, 'spec', podSpecDefaults)),
  '/Service': serviceDefaults,
  '/Secret': secretDefaults,
  '/Namespace': namespaceDefaults,
  '/Event': (event) => fillIn(event, absent('eventTime', 'firstTimestamp', 'lastTimestamp')),
  '/PersistentVolumeClaim': volumeDefaults.claim,
  '/PersistentVolume': volumeDefaults.volume,
  'storage.k8s.io/StorageClass': volumeDefaults.storageClass,
  'storage.k8s.io/CSIDriver': volumeDefaults.driver,
  'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinitionDefaults,
  'events.k8s.io/Event': (event) =>
    fillIn(event, { deprecatedSource: {}, ...absent('deprecatedFirstTimestamp', 'deprecatedLastTimestamp') }),
  'apps/Deployment': workloadDefaults.deployment,
  'apps/ReplicaSet': workloadDefaults.replicaSet,
  'apps/StatefulSet': workloadDefaults.statefulSet,
  'apps/DaemonSet': workloadDefaults.daemonSet,
  '/ReplicationController': workloadDefaults.replicaSet,
  'batch/Job': workloadDefaults.job,
  'batch/CronJob': workloadDefaults.cronJob,
  'scheduling.k8s.io/PriorityClass': (priorityClass) =>
    fillIn(priorityClass, { preemptionPolicy: 'PreemptLowerPriority' }),
  'autoscaling/HorizontalPodAutoscaler': (scaler) =>
    within(fillIn(scaler, { status: {} }), 'spec', (spec) => fillIn(spec, { minReplicas: 1 })),
  'rbac.authorization.k8s.io/ClusterRoleBinding': bindingDefaults,
  'rbac.authorization.k8s.io/RoleBinding': bindingDefaults,
  'rbac.authorization.k8s.io/ClusterRole': (role) => fillIn(role, absent('rules')),
  'rbac.authorization.k8s.io/Role': (role) => fillIn(role, absent('rules')),
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': (configuration) =>
    withinEach(configuration, 'webhooks', webhookDefaults),
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': (configuration) =>
    withinEach(configuration, 'webhooks', (webhook) =>
      fillIn(webhookDefaults(webhook), { reinvocationPolicy: 'Never' }),
    ),
};

/** Conditions of these kinds print times that nobody set as null. */
const conditionTimes: Readonly<Record<string, readonly string[]>> = {
  Pod: ['lastProbeTime', 'lastTransitionTime'],
  Node: ['lastHeartbeatTime', 'lastTransitionTime'],
  Job: ['lastProbeTime', 'lastTransitionTime'],
  Deployment: ['lastTransitionTime', 'lastUpdateTime'],
  ReplicaSet: ['lastTransitionTime'],
  StatefulSet: ['lastTransitionTime'],
  DaemonSet: ['lastTransitionTime'],
};

function withConditionTimes(object: JsonObject, { kind }: GroupVersionKind): JsonObject {
  const times = readOwn(conditionTimes, kind);
  if (times === undefined) return object;
  return within(object, 'status', (status) =>
    withinEach(status, 'conditions', (condition) => fillIn(condition, absent(...times))),
  );
}

/** `stringData` is write-only: it ends up in `data`. */
function secretDefaults(secret: JsonObject): JsonObject {
  const { stringData, ...rest } = fillIn(secret, { type: 'Opaque' });
  if (!isObject(stringData)) return rest;
  const encoded = Object.entries(stringData).map(([key, text]): [string, Json] => [key, base64(text)]);
  const data = member(secret, 'data');
  return { ...rest, data: { ...(isObject(data) ? data : {}), ...Object.fromEntries(encoded) } };
}

const base64 = (text: Json): string => Buffer.from(typeof text === 'string' ? text : '', 'utf8').toString('base64');

/** Every namespace can be selected by its name. */
function namespaceDefaults(namespace: JsonObject): JsonObject {
  const name = textAt(namespace, 'metadata', 'name');
  const named = within(namespace, 'metadata', (metadata) => {
    const labels = member(metadata, 'labels');
    return { ...metadata, labels: { ...(isObject(labels) ? labels : {}), 'kubernetes.io/metadata.name': name } };
  });
  return fillIn(name === '' ? namespace : named, { status: { phase: 'Active' } });
}

function customResourceDefinitionDefaults(definition: JsonObject): JsonObject {
  return within(definition, 'spec', (spec) =>
    within(fillIn(spec, { conversion: { strategy: 'None' } }), 'names', (names) => {
      const kind = textAt(names, 'kind');
      return fillIn(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
    }),
  );
}

function bindingDefaults(binding: JsonObject): JsonObject {
  const withRole = within(binding, 'roleRef', (role) => fillIn(role, { apiGroup: 'rbac.authorization.k8s.io' }));
  return withinEach(withRole, 'subjects', (subject) =>
    subject['kind'] === 'ServiceAccount' ? subject : fillIn(subject, { apiGroup: 'rbac.authorization.k8s.io' }),
  );
}

function webhookDefaults(webhook: JsonObject): JsonObject {
  const filled = fillIn(webhook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  });
  return withinEach(filled, 'rules', (rule) => fillIn(rule, { scope: '*' }));
}

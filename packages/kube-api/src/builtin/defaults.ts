import { readOwn } from '@nodewright/apis';
import {
  isObject,
  type JsonValue,
  type JsonObject,
  jsonTextAt,
  mappedMembers,
  memberOf,
  valueAtPath,
} from '../schema/json.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { toCanonicalForm } from './canonical.ts';
import { jsonObjectsIn } from './validation/checks.ts';
import { builtinSchema, type GroupVersionKind } from '../schema/definitions.ts';
import { fillIn, changeMember, changeEachItem } from './fill.ts';
import { autoscalerDefaults } from './autoscaler-defaults.ts';
import { podDefaults, podSpecDefaults } from './pod-defaults.ts';
import { serviceDefaults } from './service-defaults.ts';
import { volumeDefaults } from './volume-defaults.ts';
import { workloadDefaults } from './workload-defaults.ts';

type Defaults = (object: JsonObject) => JsonObject;

/**
 * An object of a built-in kind as a real server stores it: without empty members, with the zero values of its types
 * and with the defaults that no OpenAPI document lists. Nothing depends on other objects; admission adds what depends on
 * them. A second call changes nothing.
 */
export function defaultBuiltin(type: GroupVersionKind, object: JsonObject): JsonObject {
  const schema = builtinSchema(type.group, type.version, type.kind);
  if (schema === undefined) return object;
  const reprinted = toCanonicalForm(schema, object);
  const filled = readOwn(kindDefaults, `${type.group}/${type.kind}`)?.(reprinted) ?? reprinted;
  const complete = applyDefaults(schema, filled);
  return isObject(complete) ? complete : filled;
}

const kindDefaults: Readonly<Record<string, Defaults>> = {
  '/Pod': podDefaults,
  '/PodTemplate': (template) =>
    changeMember(template, 'template', (inner) => changeMember(inner, 'spec', podSpecDefaults)),
  '/Service': serviceDefaults,
  '/Secret': secretDefaults,
  '/Node': (node) => changeMember(node, 'status', allocatableDefaults),
  '/ServiceAccount': serviceAccountDefaults,
  '/Endpoints': (endpoints) => changeEachItem(endpoints, 'subsets', portProtocols),
  'discovery.k8s.io/EndpointSlice': (slice) =>
    changeEachItem(portProtocols(slice), 'ports', (port) => fillIn(port, { name: '' })),
  '/Namespace': namespaceDefaults,
  '/LimitRange': (range) => changeMember(range, 'spec', (spec) => changeEachItem(spec, 'limits', limitDefaults)),
  '/PersistentVolumeClaim': volumeDefaults.claim,
  '/PersistentVolume': volumeDefaults.volume,
  'storage.k8s.io/StorageClass': volumeDefaults.storageClass,
  'storage.k8s.io/CSIDriver': volumeDefaults.driver,
  'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinitionDefaults,
  'apps/Deployment': workloadDefaults.deployment,
  'apps/ReplicaSet': workloadDefaults.replicaSet,
  'apps/StatefulSet': workloadDefaults.statefulSet,
  'apps/DaemonSet': workloadDefaults.daemonSet,
  '/ReplicationController': (controller) => workloadDefaults.replicationController(labelsFromTemplate(controller)),
  'networking.k8s.io/IngressClass': (ingressClass) =>
    changeMember(ingressClass, 'spec', (spec) =>
      changeMember(spec, 'parameters', (place) => ({ ...place, scope: place['scope'] ?? 'Cluster' })),
    ),
  'networking.k8s.io/NetworkPolicy': (policy) =>
    changeMember(fillIn(policy, { spec: {} }), 'spec', networkPolicyDefaults),
  'resource.k8s.io/ResourceClaim': (claim) => changeMember(claim, 'spec', deviceDefaults),
  'resource.k8s.io/ResourceClaimTemplate': (template) =>
    changeMember(template, 'spec', (outer) => changeMember(outer, 'spec', deviceDefaults)),
  'resource.k8s.io/ResourceSlice': (slice) =>
    changeMember(slice, 'spec', (spec) => changeEachItem(spec, 'devices', deviceOfSlice)),
  'apiregistration.k8s.io/APIService': (service) =>
    changeMember(service, 'spec', (spec) => changeMember(spec, 'service', (place) => fillIn(place, { port: 443 }))),
  'flowcontrol.apiserver.k8s.io/FlowSchema': (flow) =>
    changeMember(flow, 'spec', (spec) => ({ ...spec, matchingPrecedence: spec['matchingPrecedence'] || 1000 })),
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': (level) =>
    changeMember(level, 'spec', (spec) =>
      changeMember(spec, 'limited', (limited) => ({
        ...fillIn(limited, { lendablePercent: 0 }),
        nominalConcurrencyShares: limited['nominalConcurrencyShares'] ?? 30,
      })),
    ),
  'batch/Job': workloadDefaults.job,
  'batch/CronJob': workloadDefaults.cronJob,
  'scheduling.k8s.io/PriorityClass': (priorityClass) =>
    fillIn(priorityClass, { preemptionPolicy: 'PreemptLowerPriority' }),
  'autoscaling/HorizontalPodAutoscaler': autoscalerDefaults,
  'rbac.authorization.k8s.io/ClusterRoleBinding': bindingDefaults,
  'rbac.authorization.k8s.io/RoleBinding': bindingDefaults,
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': (policy) => policyDefaults(policy),
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': (binding) => policyBindingDefaults(binding),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': (policy) => policyDefaults(policy),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': (binding) => policyBindingDefaults(binding),
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': (configuration) =>
    changeEachItem(configuration, 'webhooks', webhookDefaults),
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': (configuration) =>
    changeEachItem(configuration, 'webhooks', (webhook) =>
      fillIn(webhookDefaults(webhook), { reinvocationPolicy: 'Never' }),
    ),
};

/** Of a node that does not say what pods may take, they may take all. */
const allocatableDefaults = (status: JsonObject): JsonObject =>
  status['capacity'] === undefined || status['allocatable'] !== undefined
    ? status
    : { ...status, allocatable: status['capacity'] };

/** A policy for nothing in particular is for ingress, and for egress when it has rules for that. */
function networkPolicyDefaults(spec: JsonObject): JsonObject {
  const isEmpty = (list: JsonValue | undefined): boolean => !Array.isArray(list) || list.length === 0;
  const types = ['Ingress', ...(isEmpty(spec['egress']) ? [] : ['Egress'])];
  const named = isEmpty(spec['policyTypes']) ? { ...spec, policyTypes: types } : spec;
  const withProtocols = (rule: JsonObject): JsonObject =>
    changeEachItem(rule, 'ports', (port) => fillIn(port, { protocol: 'TCP' }));
  return changeEachItem(changeEachItem(named, 'ingress', withProtocols), 'egress', withProtocols);
}

/** A request for devices is for one of them, if it says nothing else. */
const deviceDefaults = (spec: JsonObject): JsonObject =>
  changeMember(spec, 'devices', (devices) =>
    changeEachItem(devices, 'requests', (request) =>
      changeEachItem(changeMember(request, 'exactly', deviceCountDefaults), 'firstAvailable', deviceCountDefaults),
    ),
  );

function deviceCountDefaults(request: JsonObject): JsonObject {
  const tolerated = changeEachItem(request, 'tolerations', (toleration) => ({
    ...toleration,
    operator: toleration['operator'] || 'Equal',
  }));
  const filled = fillIn(tolerated, { allocationMode: 'ExactCount' });
  return filled['allocationMode'] === 'ExactCount' ? fillIn(filled, { count: 1 }) : filled;
}

/** Mappings of devices, and lists of values, belong to features that are off. */
/** An amount that a device does not name is none. */
function deviceOfSlice(device: JsonObject): JsonObject {
  const amounts = (map: JsonObject): JsonObject =>
    mappedMembers(map, (amount) =>
      isObject(amount) || amount === null ? fillIn(amount ?? {}, { value: '0' }) : amount,
    );
  const counted = changeEachItem(withoutNewMembers(device), 'consumesCounters', (consumed) =>
    changeMember(consumed, 'counters', amounts),
  );
  return changeMember(counted, 'capacity', amounts);
}

function withoutNewMembers({ nodeAllocatableResourceMappings: _mappings, ...device }: JsonObject): JsonObject {
  return changeMember(device, 'attributes', (attributes) =>
    mappedMembers(attributes, (value) => {
      if (!isObject(value)) return value;
      const { bools: _bools, ints: _ints, strings: _strings, versions: _versions, ...single } = value;
      return single;
    }),
  );
}

const policyDefaults = (policy: JsonObject): JsonObject =>
  changeMember(policy, 'spec', (spec) =>
    changeMember(fillIn(spec, { failurePolicy: 'Fail' }), 'matchConstraints', matchDefaults),
  );

const policyBindingDefaults = (binding: JsonObject): JsonObject =>
  changeMember(binding, 'spec', (spec) => changeMember(spec, 'matchResources', matchDefaults));

/** A replication controller has the labels of its pods and selects them, if it says nothing else. */
function labelsFromTemplate(controller: JsonObject): JsonObject {
  const labels = valueAtPath(controller, 'spec', 'template', 'metadata', 'labels');
  if (!isObject(labels) || Object.keys(labels).length === 0) return controller;
  const selecting = changeMember(controller, 'spec', (spec) => fillIn(spec, { selector: labels }));
  return changeMember(selecting, 'metadata', (metadata) => ({
    ...metadata,
    labels: hasLabels(metadata) ? (metadata['labels'] ?? null) : labels,
  }));
}

const hasLabels = ({ labels }: JsonObject): boolean => isObject(labels) && Object.keys(labels).length > 0;

/** A port is of TCP, if it says nothing else. */
function portProtocols(object: JsonObject): JsonObject {
  return changeEachItem(object, 'ports', (port) => fillIn(port, { protocol: 'TCP' }));
}

/** Of the secrets of an account, only the names are kept. */
function serviceAccountDefaults(account: JsonObject): JsonObject {
  const named = ({ name }: JsonObject): JsonObject => (name === undefined ? {} : { name });
  return changeEachItem(account, 'secrets', named);
}

/** `stringData` is write-only and is stored in `data`. */
function secretDefaults(secret: JsonObject): JsonObject {
  const { stringData, ...rest } = fillIn(secret, { type: 'Opaque' });
  if (!isObject(stringData)) return rest;
  const encoded = Object.entries(stringData).map(([key, text]): [string, JsonValue] => [key, secretValue(text)]);
  const data = memberOf(secret, 'data');
  return { ...rest, data: { ...(isObject(data) ? data : {}), ...Object.fromEntries(encoded) } };
}

const secretValue = (text: JsonValue): string =>
  Buffer.from(typeof text === 'string' ? text : '', 'utf8').toString('base64');

/** Every namespace can be selected by its name. */
function namespaceDefaults(namespace: JsonObject): JsonObject {
  const name = jsonTextAt(namespace, 'metadata', 'name');
  const named = changeMember(namespace, 'metadata', (metadata) => {
    const labels = memberOf(metadata, 'labels');
    return { ...metadata, labels: { ...(isObject(labels) ? labels : {}), 'kubernetes.io/metadata.name': name } };
  });
  return changeMember(fillIn(name === '' ? namespace : named, { status: {} }), 'status', (status) =>
    fillIn(status, { phase: 'Active' }),
  );
}

function customResourceDefinitionDefaults(definition: JsonObject): JsonObject {
  const named = changeMember(definition, 'spec', (spec) =>
    changeMember(fillIn(spec, { conversion: { strategy: 'None' } }), 'names', (names) => {
      const kind = jsonTextAt(names, 'kind');
      return kind === '' ? names : fillIn(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
    }),
  );
  return changeMember(fillIn(named, { status: {} }), 'status', (status) => withStorageVersion(status, named));
}

/** A status without stored versions has the storage version of its definition. */
function withStorageVersion(status: JsonObject, definition: JsonObject): JsonObject {
  const stored = status['storedVersions'];
  const storage = jsonObjectsIn(valueAtPath(definition, 'spec', 'versions')).find(({ storage }) => storage === true);
  if ((Array.isArray(stored) && stored.length > 0) || storage === undefined) return status;
  return { ...status, storedVersions: [jsonTextAt(storage, 'name')] };
}

/** A limit for containers is their default limit, and that is their default request. */
function limitDefaults(limit: JsonObject): JsonObject {
  if (limit['type'] !== 'Container') return limit;
  const amounts = (name: string): JsonObject => {
    const list = memberOf(limit, name);
    return isObject(list) ? list : {};
  };
  const ofLimits = { ...amounts('max'), ...amounts('default') };
  const ofRequests = { ...amounts('min'), ...ofLimits, ...amounts('defaultRequest') };
  return {
    ...limit,
    ...(Object.keys(ofLimits).length > 0 && { default: ofLimits }),
    ...(Object.keys(ofRequests).length > 0 && { defaultRequest: ofRequests }),
  };
}

/** What a policy or a binding applies to. */
function matchDefaults(match: JsonObject): JsonObject {
  const filled = fillIn(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
  return ['resourceRules', 'excludeResourceRules'].reduce(
    (done, key) => changeEachItem(done, key, (rule) => fillIn(rule, { scope: '*' })),
    filled,
  );
}

function bindingDefaults(binding: JsonObject): JsonObject {
  const group = 'rbac.authorization.k8s.io';
  const withRole = changeMember(fillIn(binding, { roleRef: {} }), 'roleRef', (role) => ({
    ...role,
    apiGroup: role['apiGroup'] || group,
  }));
  return changeEachItem(withRole, 'subjects', (subject) =>
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
  return changeEachItem(filled, 'rules', (rule) => fillIn(rule, { scope: '*' }));
}

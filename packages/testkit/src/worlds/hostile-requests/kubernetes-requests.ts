import * as fc from 'fast-check';
import { hostileText, valueOf, type HostileRequest } from './hostile-texts.ts';

const kubernetesWords = [
  'apiVersion',
  'kind',
  'metadata',
  'name',
  'namespace',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'managedFields',
  'resourceVersion',
  'uid',
  'generateName',
  'creationTimestamp',
  'deletionTimestamp',
  'spec',
  'status',
  'data',
  'containers',
  'image',
  'resources',
  'requests',
  'cpu',
  'tolerations',
  'op',
  'path',
  'from',
  'value',
  '$patch',
  '$setElementOrder/containers',
  'replicas',
  'selector',
  'template',
  'versions',
  'schema',
  'openAPIV3Schema',
  'properties',
  'pattern',
  'x-kubernetes-validations',
  'rule',
  'token',
  'resourceAttributes',
  'propagationPolicy',
  'preconditions',
  'dryRun',
  'fieldsV1',
  'f:metadata',
  'target',
  'limits',
  'rules',
  'subjects',
];

const anObject = valueOf(kubernetesWords).map((members) =>
  typeof members === 'object' && !Array.isArray(members) ? members : { metadata: members },
);
const resources = fc.constantFrom(
  ['v1', 'ConfigMap', '/api/v1/namespaces/default/configmaps'],
  ['v1', 'Pod', '/api/v1/namespaces/default/pods'],
  ['v1', 'Node', '/api/v1/nodes'],
  ['apps/v1', 'Deployment', '/apis/apps/v1/namespaces/default/deployments'],
  ['batch/v1', 'Job', '/apis/batch/v1/namespaces/default/jobs'],
  ['coordination.k8s.io/v1', 'Lease', '/apis/coordination.k8s.io/v1/namespaces/default/leases'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'],
  ['authentication.k8s.io/v1', 'TokenReview', '/apis/authentication.k8s.io/v1/tokenreviews'],
  ['authorization.k8s.io/v1', 'SubjectAccessReview', '/apis/authorization.k8s.io/v1/subjectaccessreviews'],
  ['policy/v1', 'PodDisruptionBudget', '/apis/policy/v1/namespaces/default/poddisruptionbudgets'],
  ['events.k8s.io/v1', 'Event', '/apis/events.k8s.io/v1/namespaces/default/events'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
  ['v1', 'Nonsense', '/openapi/v3'],
  ['v1', 'Nonsense', '/apis'],
);

/** A lone surrogate cannot be encoded and stays as it is. */
const encodeQueryText = (text: string): string => (/\p{Surrogate}/u.test(text) ? text : encodeURIComponent(text));

const kubernetesQuery = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'labelSelector',
        'fieldSelector',
        'limit',
        'continue',
        'resourceVersion',
        'resourceVersionMatch',
        'timeoutSeconds',
        'watch',
        'dryRun',
        'fieldManager',
        'force',
        'fieldValidation',
        'pretty',
        'allowWatchBookmarks',
        'sendInitialEvents',
        'gracePeriodSeconds',
        'tailLines',
        'sinceTime',
        'follow',
        'hash',
        'includeObject',
        'propagationPolicy',
      ),
      hostileText,
    ),
    { maxLength: 3 },
  )
  .map((pairs) => pairs.map(([key, value]) => `${key}=${encodeQueryText(value)}`).join('&'));
export const kubernetesRequest: fc.Arbitrary<HostileRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'BREW'),
    resource: resources,
    name: fc.constantFrom(
      '',
      '/m',
      '/m',
      '/m/status',
      '/m/scale',
      '/m/eviction',
      '/m/binding',
      '/m/log',
      '/m/token',
      '/%00',
      '/%zz',
      '//',
    ),
    query: kubernetesQuery,
    type: fc.constantFrom(
      '',
      'application/json',
      'application/yaml',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/json-patch+json',
      'application/apply-patch+yaml',
      'application/vnd.kubernetes.protobuf',
      'text/html',
    ),
    accept: fc.constantFrom(
      '',
      '*/*',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
    ),
    members: fc.oneof(anObject, fc.array(anObject, { maxLength: 3 })),
    isTyped: fc.boolean(),
    text: fc.option(hostileText),
  })
  .map(({ method, resource: [apiVersion, kind, path], name, query, type, accept, members, isTyped, text }) => {
    const body =
      isTyped && !Array.isArray(members) ? { metadata: { name: 'm' }, ...members, apiVersion, kind } : members;
    return {
      method,
      path: `${path}${name}?${query}`,
      headers: { 'content-type': type, accept },
      body: text ?? JSON.stringify(body),
    };
  });

import type { Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import type { JsonValue, JsonObject } from '../schema/json.ts';
import { builtInName, definitionName, schemaPrefix } from './definition-names.ts';

const parameter = (name: string, type = 'string'): JsonValue => ({
  name,
  in: 'query',
  schema: { type, uniqueItems: true },
});

const pathParameter = (name: string): JsonValue => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => parameter(name));
const patchOperationParameters = [...writeParameters, parameter('force', 'boolean')];
const deleteOperationParameters = [
  parameter('dryRun'),
  parameter('gracePeriodSeconds', 'integer'),
  parameter('orphanDependents', 'boolean'),
  parameter('propagationPolicy'),
];
const listParameters = [
  parameter('allowWatchBookmarks', 'boolean'),
  parameter('continue'),
  parameter('fieldSelector'),
  parameter('labelSelector'),
  parameter('limit', 'integer'),
  parameter('pretty'),
  parameter('resourceVersion'),
  parameter('resourceVersionMatch'),
  parameter('sendInitialEvents', 'boolean'),
  parameter('timeoutSeconds', 'integer'),
  parameter('watch', 'boolean'),
];

type OperationMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

type PathOperation = {
  readonly verb: string;
  readonly method: OperationMethod;
  readonly action: string;
  readonly parameters: readonly JsonValue[];
};

const onCollection: readonly PathOperation[] = [
  { verb: 'list', method: 'get', action: 'list', parameters: [] },
  { verb: 'create', method: 'post', action: 'post', parameters: writeParameters },
  { verb: 'deletecollection', method: 'delete', action: 'deletecollection', parameters: deleteOperationParameters },
];

const onObject: readonly PathOperation[] = [
  { verb: 'get', method: 'get', action: 'get', parameters: [] },
  { verb: 'update', method: 'put', action: 'put', parameters: writeParameters },
  { verb: 'patch', method: 'patch', action: 'patch', parameters: patchOperationParameters },
  { verb: 'delete', method: 'delete', action: 'delete', parameters: deleteOperationParameters },
];

/** The paths of one resource and its subresources, with the parts that clients read: verbs, parameters, kinds. */
export function resourcePaths(resource: Resource): JsonObject {
  const root = resource.group === '' ? '/api/v1' : `/apis/${groupVersion(resource)}`;
  const scoped = resource.namespaced ? `${root}/namespaces/{namespace}` : root;
  const placed = resource.namespaced ? [pathParameter('namespace')] : [];
  const named = [pathParameter('name'), ...placed];
  const collection = `${scoped}/${resource.plural}`;
  return {
    ...(resource.namespaced && {
      [`${root}/${resource.plural}`]: pathItem(resource, onCollection.slice(0, 1), [...listParameters]),
    }),
    [collection]: pathItem(resource, onCollection, placed),
    ...(resource.verbs.includes('get') && { [`${collection}/{name}`]: pathItem(resource, onObject, named) }),
    ...Object.fromEntries(
      (resource.subresources ?? []).map((subresource) => [
        `${collection}/{name}/${subresource.name}`,
        pathItem({ ...resource, ...subresource }, [...onObject, ...onCollection.slice(1, 2)], named),
      ]),
    ),
  };
}

function pathItem(
  resource: Resource,
  operations: readonly PathOperation[],
  parameters: readonly JsonValue[],
): JsonValue {
  const offered = operations.filter(({ verb }) => resource.verbs.includes(verb));
  return {
    ...Object.fromEntries(offered.map((operation) => [operation.method, describeOperation(resource, operation)])),
    parameters: [...parameters],
  };
}

function describeOperation(resource: Resource, { action, method, parameters }: PathOperation): JsonValue {
  const { group, version, kind } = resource;
  const content = { 'application/json': { schema: { $ref: `${schemaPrefix}${nameFor(resource)}` } } };
  return {
    operationId: `${action}_${groupVersion(resource)}_${resource.plural}`.replaceAll(/[^A-Za-z0-9]+/g, '_'),
    ...(parameters.length > 0 && { parameters: [...parameters] }),
    ...(method !== 'get' &&
      method !== 'delete' && { requestBody: { content: requestContent(resource, method, content) } }),
    responses: { '200': { description: 'OK', content } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

const nameFor = (resource: Resource): string => builtInName(resource) ?? definitionName(resource);

const patchMediaTypes = ['apply-patch+yaml', 'json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json'];

/** The accepted patch types. kubectl reads them from here. */
function requestContent({ custom }: Resource, method: OperationMethod, content: JsonObject): JsonObject {
  if (method !== 'patch') return content;
  const schema = { type: 'object' };
  const types =
    custom === undefined ? patchMediaTypes : patchMediaTypes.filter((type) => !type.startsWith('strategic'));
  return Object.fromEntries(types.map((type) => [`application/${type}`, { schema }]));
}

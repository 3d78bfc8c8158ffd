import type { Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { builtInName, definitionName, schemaPrefix } from './definition-names.ts';

const parameter = (name: string, type = 'string'): Json => ({
  name,
  in: 'query',
  schema: { type, uniqueItems: true },
});

const pathParameter = (name: string): Json => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => parameter(name));
const patchParameters = [...writeParameters, parameter('force', 'boolean')];
const deleteParameters = [
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

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Operation = {
  readonly verb: string;
  readonly method: Method;
  readonly action: string;
  readonly parameters: readonly Json[];
};

const onCollection: readonly Operation[] = [
  { verb: 'list', method: 'get', action: 'list', parameters: [] },
  { verb: 'create', method: 'post', action: 'post', parameters: writeParameters },
  { verb: 'deletecollection', method: 'delete', action: 'deletecollection', parameters: deleteParameters },
];

const onObject: readonly Operation[] = [
  { verb: 'get', method: 'get', action: 'get', parameters: [] },
  { verb: 'update', method: 'put', action: 'put', parameters: writeParameters },
  { verb: 'patch', method: 'patch', action: 'patch', parameters: patchParameters },
  { verb: 'delete', method: 'delete', action: 'delete', parameters: deleteParameters },
];

/** The paths of one resource and its subresources, with what clients read from them: verbs, parameters, kinds. */
export function pathsOf(resource: Resource): JsonObject {
  const root = resource.group === '' ? '/api/v1' : `/apis/${groupVersion(resource)}`;
  const scoped = resource.namespaced ? `${root}/namespaces/{namespace}` : root;
  const placed = resource.namespaced ? [pathParameter('namespace')] : [];
  const named = [pathParameter('name'), ...placed];
  const collection = `${scoped}/${resource.plural}`;
  return {
    ...(resource.namespaced && {
      [`${root}/${resource.plural}`]: item(resource, onCollection.slice(0, 1), [...listParameters]),
    }),
    [collection]: item(resource, onCollection, placed),
    ...(resource.verbs.includes('get') && { [`${collection}/{name}`]: item(resource, onObject, named) }),
    ...Object.fromEntries(
      (resource.subresources ?? []).map((subresource) => [
        `${collection}/{name}/${subresource.name}`,
        item({ ...resource, ...subresource }, [...onObject, ...onCollection.slice(1, 2)], named),
      ]),
    ),
  };
}

function item(resource: Resource, operations: readonly Operation[], parameters: readonly Json[]): Json {
  const offered = operations.filter(({ verb }) => resource.verbs.includes(verb));
  return {
    ...Object.fromEntries(offered.map((operation) => [operation.method, operationOf(resource, operation)])),
    parameters: [...parameters],
  };
}

function operationOf(resource: Resource, { action, method, parameters }: Operation): Json {
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

const patchTypes = ['apply-patch+yaml', 'json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json'];

/** kubectl reads from here which patches a kind takes. */
function requestContent({ custom }: Resource, method: Method, content: JsonObject): JsonObject {
  if (method !== 'patch') return content;
  const schema = { type: 'object' };
  const types = custom === undefined ? patchTypes : patchTypes.filter((type) => !type.startsWith('strategic'));
  return Object.fromEntries(types.map((type) => [`application/${type}`, { schema }]));
}

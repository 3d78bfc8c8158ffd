import { openApiDefinitions } from '../schema/definitions.ts';
import type { Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import { isObject, type JsonValue, type JsonObject } from '../schema/json.ts';
import { textOrEmpty } from '../http/go-values.ts';
import { MessageWriter } from './protobuf-writer.ts';

/**
 * The OpenAPI v2 document in the form that kubectl up to 1.28 reads: which patches accept `fieldValidation`, and the
 * definitions of the built-in kinds. Field numbers are those of the public openapiv2.proto.
 */
export function version2Protobuf(resources: readonly Resource[], version: string): Uint8Array {
  return new MessageWriter()
    .text(1, '2.0')
    .message(2, new MessageWriter().text(1, 'Kubernetes').text(2, version))
    .message(8, new MessageWriter().messages(2, resources.filter(isPatchable).map(pathMessage)))
    .message(9, new MessageWriter().messages(1, Object.entries(openApiDefinitions()).map(namedSchema)))
    .finish();
}

const isPatchable = ({ verbs }: Resource): boolean => verbs.includes('patch');

function pathMessage(resource: Resource): MessageWriter {
  const root = resource.group === '' ? '/api/v1' : `/apis/${groupVersion(resource)}`;
  const scoped = resource.namespaced ? `${root}/namespaces/{namespace}` : root;
  const item = new MessageWriter().message(8, patchOperation(resource));
  return new MessageWriter().text(1, `${scoped}/${resource.plural}/{name}`).message(2, item);
}

const patchQueryParameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'];

function patchOperation({ group, version, kind }: Resource): MessageWriter {
  return new MessageWriter()
    .text(5, `patch${kind}`)
    .messages(8, patchQueryParameters.map(queryParameter))
    .messages(13, [extension(['x-kubernetes-group-version-kind', { group, version, kind }])]);
}

function queryParameter(name: string): MessageWriter {
  const query = new MessageWriter().text(2, 'query').text(4, name).text(6, 'string');
  const nonBody = new MessageWriter().message(3, query);
  return new MessageWriter().message(1, new MessageWriter().message(2, nonBody));
}

/** A value of any type, as YAML text. JSON is valid YAML. */
const extension = ([name, value]: readonly [string, JsonValue]): MessageWriter =>
  new MessageWriter().text(1, name).message(2, new MessageWriter().text(2, JSON.stringify(value)));

const namedSchema = ([name, schema]: readonly [string, JsonValue]): MessageWriter =>
  new MessageWriter().text(1, name).message(2, schemaMessage(isObject(schema) ? schema : {}));

function schemaMessage(schema: JsonObject): MessageWriter {
  const { $ref, format, description, required, additionalProperties, type, items, properties } = schema;
  return new MessageWriter()
    .text(1, textOrEmpty($ref))
    .text(2, textOrEmpty(format))
    .text(4, textOrEmpty(description))
    .texts(19, Array.isArray(required) ? required.map(textOrEmpty) : [])
    .message(
      21,
      isObject(additionalProperties) ? new MessageWriter().message(1, schemaMessage(additionalProperties)) : undefined,
    )
    .message(22, type === undefined ? undefined : new MessageWriter().text(1, textOrEmpty(type)))
    .message(23, isObject(items) ? new MessageWriter().message(1, schemaMessage(items)) : undefined)
    .message(25, isObject(properties) ? propertiesMessage(properties) : undefined)
    .messages(31, extensionsOf(schema));
}

const propertiesMessage = (properties: JsonObject): MessageWriter =>
  new MessageWriter().messages(1, Object.entries(properties).map(namedSchema));

const extensionsOf = (schema: JsonObject): readonly MessageWriter[] =>
  Object.entries(schema)
    .filter(([name]) => name.startsWith('x-'))
    .map(extension);

import { decodeProblem } from '../builtin/decode-problem.ts';
import { objectMetaSchema } from '../schema/definitions.ts';
import type { JsonObject } from '../schema/json.ts';
import type { ValueSchema } from '../schema/structural.ts';
import { asJson, asApiObject, pruneObject } from '../resources/rules.ts';
import type { Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import { servedKinds } from '../resources/served.generated.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { duplicateMembers, overwrittenMembers } from '../http/duplicate-members.ts';
import { decodeObject, mediaTypeOf } from '../http/request-body.ts';
import type { FieldValidation, ObjectWriteOptions, WriteRequestOptions } from './request-options.ts';
import { textOrEmpty } from '../http/go-values.ts';
import { badRequestError } from '../http/status-error.ts';
import { withDistinctOwners } from './distinct-owners.ts';
import { unknownField } from './unknown-field.ts';
import type { ObjectCall, ResourceCall } from './world.ts';

/** Decodes the object in a request's body and checks its kind, its fields and its namespace. */
export function decodeAccepted(call: ResourceCall, options: WriteRequestOptions): ApiObject {
  const body = decodeObject(call.body, call.headers['content-type'], call.resource.kind);
  const duplicates = duplicatesIn(call);
  if (duplicates.length > 0) refuseUnreadableValues(call, body);
  return acceptObject(call, body, options, () => duplicates);
}

/** Of a member that is written twice, each value has to be readable. */
function refuseUnreadableValues({ body, resource }: ResourceCall, received: JsonObject): void {
  for (const [name, value] of overwrittenMembers(Buffer.from(body).toString('utf8')))
    refuseUnreadable(resource, asApiObject({ ...received, [name]: value }));
}

/**
 * Checks the kind, the fields and the namespace of a received object.
 * @param duplicates the members that its text repeats
 */
export function acceptObject(
  call: ObjectCall,
  received: JsonObject,
  { fieldValidation }: ObjectWriteOptions,
  duplicates: () => readonly string[] = () => [],
): ApiObject {
  const typed = withType(received, call.resource);
  refuseUnreadable(call.resource, typed);
  const object = withKnownFields(call, typed, fieldValidation, duplicates);
  refuseOtherNamespace(call, object);
  return withDistinctOwners(call, object);
}

/** Fills in the type of an object. Built-in kinds may leave it out; another type is refused. */
export function withType(body: JsonObject, resource: Resource): ApiObject {
  const expected = groupVersion(resource);
  // An empty text and a null are no type either.
  const kind = resource.custom === undefined ? body['kind'] || resource.kind : body['kind'];
  const apiVersion = resource.custom === undefined ? body['apiVersion'] || expected : body['apiVersion'];
  if (resource.custom !== undefined) refuseUntypedBody(body, resource);
  if (apiVersion !== expected && resource.custom !== undefined) {
    throw badRequestError(
      `the API version in the data (${textOrEmpty(apiVersion)}) does not match the expected API version (${expected})`,
    );
  }
  if (resource.custom === undefined && (kind !== resource.kind || apiVersion !== expected)) {
    throw badRequestError(wrongTypeMessage(textOrEmpty(kind), textOrEmpty(apiVersion), resource));
  }
  // Metadata of another type is refused when the object is decoded.
  const metadata = body['metadata'] ?? {};
  return asApiObject({ ...body, kind, apiVersion, metadata });
}

const longestExcerpt = 60;

function refuseUntypedBody(body: JsonObject, { kind }: Resource): void {
  const missing = body['kind'] === undefined ? 'Kind' : body['apiVersion'] === undefined ? 'apiVersion' : undefined;
  if (missing === undefined) return;
  const text = JSON.stringify(body);
  const excerpt = text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)} ...` : text;
  throw badRequestError(
    `the object provided is unrecognized (must be of type ${kind}): Object '${missing}' is missing in '${text}' (${excerpt})`,
  );
}

/** Go's message for an object of a wrong type. It depends on whether the server knows the type. */
export function wrongTypeMessage(kind: string, apiVersion: string, expected: ExpectedType): string {
  const version = apiVersion.split('/').at(-1) ?? '';
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected.kind}: ${otherTypeProblem(kind, apiVersion, expected)}`;
}

type ExpectedType = { readonly group: string; readonly kind: string };

/** Why an object of one type cannot be read as another one. */
export function otherTypeProblem(kind: string, apiVersion: string, expected: ExpectedType): string {
  const version = apiVersion.split('/').at(-1) ?? '';
  return servedTypes().has(`${apiVersion}/${kind}`)
    ? `converting (${version}.${kind}) to (${internalGroup(expected.group)}.${expected.kind}): unknown conversion`
    : `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
}

const servedTypes = (): ReadonlySet<string> =>
  new Set(servedKinds.map((known) => `${groupVersion(known)}/${known.kind}`));

const internalGroup = (group: string): string => (group === '' ? 'core' : (group.split('.')[0] ?? group));

/** Refuses values that do not fit the types of a built-in kind, or the metadata of any kind. */
function refuseUnreadable({ kind, version, schema, custom }: Resource, object: ApiObject): void {
  const problem = decodingProblem(custom === undefined ? schema : undefined, object);
  if (problem === undefined) return;
  throw badRequestError(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${problem}`);
}

/** The reason why an object cannot be decoded. For a custom resource, only its metadata is decoded. */
export function decodingProblem(schema: ValueSchema | undefined, object: ApiObject): string | undefined {
  if (schema !== undefined) return decodeProblem(schema, asJson(object));
  return decodeProblem(objectMetaSchema(), asJson(object)['metadata'] ?? null);
}

function withKnownFields(
  call: ObjectCall,
  received: ApiObject,
  validation: FieldValidation,
  duplicates: () => readonly string[],
): ApiObject {
  const { object, unknown } = pruneObject(call.resource, received);
  const problems = [
    ...(validation === 'Ignore' ? [] : duplicates()).map((path) => `duplicate field ${JSON.stringify(path)}`),
    ...unknown.map((path) => unknownField(path, received)),
  ];
  if (validation === 'Strict' && problems.length > 0) throw badRequestError(strictProblem(call.resource, problems));
  if (validation === 'Warn') for (const problem of problems) call.warnings.push(problem);
  return object;
}

/** Repeated members. */
const duplicatesIn = ({ body, headers }: ResourceCall): readonly string[] =>
  mediaTypeOf(headers['content-type']) === 'application/json'
    ? duplicateMembers(Buffer.from(body).toString('utf8'))
    : [];

export const strictProblem = ({ kind, version }: Resource, problems: readonly string[]): string =>
  `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: strict decoding error: ${problems.join(', ')}`;

/** Refuses an object of a namespace other than that of the path. */
export function refuseOtherNamespace({ path, resource }: ObjectCall, { metadata }: ApiObject): void {
  const given = metadata.namespace ?? '';
  if (resource.namespaced && given !== '' && given !== path.namespace) {
    throw badRequestError('the namespace of the provided object does not match the namespace sent on the request');
  }
}

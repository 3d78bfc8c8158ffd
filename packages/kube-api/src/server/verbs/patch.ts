import { byTextOf, readOwn } from '@nodewright/apis';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { applyMergePatch } from '../../patch/merge-patch.ts';
import type { PatchOutcome } from '../../patch/outcome.ts';
import { applyStrategicMergePatch } from '../../patch/strategic-merge-patch.ts';
import { asJson, asApiObject, pruneObject } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import { groupVersion } from '../../resources/served-kind.ts';
import { partialChange } from '../../resources/settled.ts';
import { parseExactJson } from '../../schema/exact-numbers.ts';
import { checkDepth, decodeWithinDepth, ShapeLimitError } from '../../schema/depth.ts';
import { builtinSchema } from '../../schema/definitions.ts';
import { isObject, type JsonValue } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { RequestOutcome } from '../outcome.ts';
import { decodingProblem, otherTypeProblem, withType } from '../accepted-object.ts';
import { jsonProblem } from '../../http/json-problem.ts';
import { mediaTypeOf } from '../../http/request-body.ts';
import { type ObjectWriteOptions, readWriteOptions } from '../request-options.ts';
import {
  badRequestError,
  invalidError,
  notFoundError,
  StatusError,
  unknownFormatError,
  unsupportedMediaTypeError,
} from '../../http/status-error.ts';
import { withDistinctOwners } from '../distinct-owners.ts';
import { unknownField } from '../unknown-field.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import { applyObject } from './apply.ts';
import { refuseOtherUid } from './metadata-update.ts';
import { refuseWithoutVersion, replaceObject } from './update.ts';

type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const patchTypesByMediaType: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** Serves a patch in one of its four forms. */
export function servePatch(world: ServerContext, call: ResourceCall): RequestOutcome {
  const type = patchTypeOf(call);
  const options = readWriteOptions(call, 'PatchOptions', { isApply: type === 'apply' });
  if (type === 'apply') return applyObject(world, call, options);
  const object = patchStored(world, call, { type, change: () => decodePatch(call.body) }, options);
  return { kind: 'object', code: 200, object, resource: call.resource };
}

export type SimplePatchType = Exclude<PatchType, 'apply'>;

/** A change of an object, decoded when it is needed. */
export type ObjectPatch = { readonly type: SimplePatchType; readonly change: () => JsonValue };

/** Changes the stored object by a patch. */
export function patchStored(
  world: ServerContext,
  call: ObjectCall,
  patch: ObjectPatch,
  options: ObjectWriteOptions,
): ApiObject {
  const live = world.store.collection(call.resource.collection).get(call.path);
  if (live === undefined) throw notFoundError(call.resource, call.path.name);
  const before = call.resource.fromStored(live);
  const after = acceptPatched(call, { before, object: patchObject(call, before, patch) }, options);
  refuseOtherUid(call.resource, before, after);
  refuseWithoutVersion(call, after);
  return replaceObject(world, call, { before, after, options });
}

function patchTypeOf({ headers, resource }: ResourceCall): PatchType {
  const type = readOwn(patchTypesByMediaType, mediaTypeOf(headers['content-type']));
  if (type === undefined) throw unsupportedMediaTypeError();
  refuseStrategicOnCustom(resource, type);
  return type;
}

export const isApplyPatch = ({ headers }: ResourceCall): boolean =>
  mediaTypeOf(headers['content-type']) === 'application/apply-patch+yaml';

/** Custom kinds have no strategic merge patch: their lists have no merge keys. */
export function refuseStrategicOnCustom({ custom }: Resource, type: PatchType): void {
  if (type === 'strategic' && custom !== undefined) throw strategicOnCustom();
}

/** The patch of a subresource that does not accept apply. */
export function readSimplePatch(call: ResourceCall): ObjectPatch {
  const type = patchTypeOf(call);
  if (type === 'apply') throw unsupportedMediaTypeError();
  return { type, change: () => decodePatch(call.body) };
}

const strategicOnCustom = (): StatusError =>
  unknownFormatError('application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml');

/** Applies the patch, before any validation. */
export function patchObject({ resource }: ObjectCall, before: ApiObject, { type, change }: ObjectPatch): ApiObject {
  const outcome = applyPatch(type, asJson(before), change(), resource);
  if (outcome.kind === 'patched') {
    const patched = asApiObject(outcome.value);
    // A strategic merge fills the Go type of the path, whatever the patch says of its type.
    if (type === 'strategic') return { ...patched, kind: before.kind, apiVersion: before.apiVersion };
    return type === 'json' ? refuseTooDeep(patched) : patched;
  }
  throw new StatusError(outcome.code, outcome.message, {
    ...(outcome.reason !== undefined && { reason: outcome.reason }),
    ...(outcome.code === 422 && { details: {} }),
  });
}

function applyPatch(type: SimplePatchType, doc: JsonValue, change: JsonValue, resource: Resource): PatchOutcome {
  switch (type) {
    case 'json':
      return applyJsonPatch(doc, change);
    case 'merge':
      return applyMergePatch(doc, change);
    case 'strategic':
      return applyStrategicMergePatch({ doc, patch: change, schema: resource.schema ?? {} });
  }
}

/** Copies of a JSON patch can nest deeper than the object and the patch. */
function refuseTooDeep(object: ApiObject): ApiObject {
  try {
    checkDepth(asJson(object));
    return object;
  } catch (error) {
    throw error instanceof ShapeLimitError ? badRequestError(`error applying patch: ${error.message}`) : error;
  }
}

function decodePatch(body: Uint8Array): JsonValue {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  try {
    return decodeWithinDepth(text.length, () => parseExactJson(text) as JsonValue);
  } catch (error) {
    if (error instanceof ShapeLimitError) throw badRequestError(`error decoding patch: ${error.message}`);
    throw badRequestError(`error decoding patch: ${jsonProblem(text)}`);
  }
}

type Patched = { readonly before: ApiObject; readonly object: ApiObject };

/** Checks a patched object: its identity is unchanged, its values can be decoded, its fields are known. */
function acceptPatched(
  call: ObjectCall,
  { before, object: received }: Patched,
  { fieldValidation }: ObjectWriteOptions,
): ApiObject {
  const { resource } = call;
  refuseOtherKindOfPatch(resource, received);
  const object = withType(asJson(received), resource);
  const { part, whole } = partialChange(resource, isObject(asJson(object)['metadata']) ? before : undefined, object);
  const problem = decodingProblem(resource.custom === undefined ? resource.schema : undefined, part);
  if (problem !== undefined) throw unreadablePatch(object, problem);
  const { object: known, unknown } = pruneObject(resource, part);
  const problems = unknown.map((field) => unknownField(field, object));
  if (fieldValidation === 'Strict' && problems.length > 0) throw strictPatch(object, problems);
  refuseOtherPlace(call, object);
  if (fieldValidation === 'Warn') for (const problem of problems) call.warnings.push(problem);
  return withDistinctOwners(call, whole(known));
}

function refuseOtherPlace({ path, resource }: ObjectCall, { metadata: { name, namespace } }: ApiObject): void {
  if (name !== path.name)
    throw badRequestError(`the name of the object (${name}) does not match the name on the URL (${path.name})`);
  if (resource.namespaced && (namespace ?? '') !== path.namespace)
    throw badRequestError('the namespace of the provided object does not match the namespace sent on the request');
}

/** A patched object of a built-in kind is decoded as what it says it is. What it leaves out is the type of the path. */
function refuseOtherKindOfPatch(resource: Resource, object: ApiObject): void {
  const { kind = resource.kind, apiVersion = groupVersion(resource) } = object as Partial<ApiObject>;
  if (resource.custom !== undefined || (kind === resource.kind && apiVersion === groupVersion(resource))) return;
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const schema = builtinSchema(group, version, kind);
  const problem = schema && decodingProblem(schema, object);
  throw unreadablePatch(object, problem ?? otherTypeProblem(kind, apiVersion, resource));
}

const strictPatch = (object: ApiObject, problems: readonly string[]): StatusError =>
  unreadablePatch(object, `strict decoding error: ${problems.join(', ')}`);

function unreadablePatch(object: ApiObject, problem: string): StatusError {
  const sorted = Object.fromEntries(Object.entries(object).toSorted(byTextOf(([name]) => name)));
  const shown = JSON.stringify(JSON.stringify(sorted));
  return invalidError({ group: '', kind: '' }, '', [
    {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${shown}: ${problem}`,
      field: 'patch',
    },
  ]);
}

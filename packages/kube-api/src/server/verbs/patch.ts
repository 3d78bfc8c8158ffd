import { readOwn } from '@nodewright/apis';
import { jsonPatch } from '../../patch/json-patch.ts';
import { mergePatch } from '../../patch/merge-patch.ts';
import type { PatchOutcome } from '../../patch/outcome.ts';
import { strategicMergePatch } from '../../patch/strategic-merge-patch.ts';
import { asJson, asObject, pruned } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import { groupVersion } from '../../resources/served-kind.ts';
import { changeOf } from '../../resources/settled.ts';
import type { Json } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { Outcome } from '../outcome.ts';
import { unreadable, wrongType } from '../accepted-object.ts';
import { jsonProblem, mediaTypeOf } from '../request-body.ts';
import { type WriteOptions, writeOptions } from '../request-options.ts';
import { badRequest, invalid, notFound, StatusError, unknownFormat, unsupportedMediaType } from '../status-error.ts';
import { unknownField } from '../unknown-field.ts';
import type { Call, World } from '../world.ts';
import { apply } from './apply.ts';
import { refuseOtherUid } from './metadata-update.ts';
import { replaceObject } from './update.ts';

type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** Changes an object by a patch in any of the four forms. */
export function patch(world: World, call: Call): Outcome {
  const type = patchTypeOf(call);
  const options = writeOptions(call, 'PatchOptions', { isApply: type === 'apply' });
  if (type === 'apply') return apply(world, call, options);
  const live = world.store.collection(call.resource.collection).get(call.path);
  if (live === undefined) throw notFound(call.resource, call.path.name);
  const before = call.resource.fromStored(live);
  const after = accepted(call, { before, object: patchedObject(call, before, type) }, options);
  refuseOtherUid(call.resource, before, after);
  const object = replaceObject(world, call, { before, after, options });
  return { kind: 'object', code: 200, object, resource: call.resource };
}

function patchTypeOf({ headers, resource }: Call): PatchType {
  const type = readOwn(patchTypes, mediaTypeOf(headers['content-type']));
  if (type === undefined) throw unsupportedMediaType();
  if (type === 'strategic' && resource.custom !== undefined) throw strategicOnCustom();
  return type;
}

/** The same for a subresource that cannot be applied. */
export function simplePatchTypeOf(call: Call): Exclude<PatchType, 'apply'> {
  const type = patchTypeOf(call);
  if (type === 'apply') throw unsupportedMediaType();
  return type;
}

const strategicOnCustom = (): StatusError =>
  unknownFormat('application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml');

/** The object as the patch makes it, before anything is checked. */
export function patchedObject(call: Call, before: ApiObject, type: Exclude<PatchType, 'apply'>): ApiObject {
  const outcome = outcomeOf(type, asJson(before), decodePatch(call.body), call.resource);
  if (outcome.kind === 'patched') return asObject(outcome.value);
  throw new StatusError(outcome.code, outcome.message, {
    ...(outcome.reason !== undefined && { reason: outcome.reason }),
    ...(outcome.code === 422 && { details: {} }),
  });
}

function outcomeOf(type: Exclude<PatchType, 'apply'>, doc: Json, change: Json, resource: Resource): PatchOutcome {
  switch (type) {
    case 'json':
      return jsonPatch(doc, change);
    case 'merge':
      return mergePatch(doc, change);
    case 'strategic':
      return strategicMergePatch({ doc, patch: change, schema: resource.schema ?? {} });
  }
}

function decodePatch(body: Uint8Array): Json {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw badRequest(`error decoding patch: ${jsonProblem(text, error)}`);
  }
}

type Patched = { readonly before: ApiObject; readonly object: ApiObject };

/** What a patch may not do to an object's identity, and the fields that the kind does not have. */
function accepted(call: Call, { before, object }: Patched, { fieldValidation }: WriteOptions): ApiObject {
  const { path, resource } = call;
  const { name, namespace } = object.metadata;
  if (name !== path.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${path.name})`);
  }
  if ((namespace ?? '') !== path.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (object.kind !== resource.kind || object.apiVersion !== groupVersion(resource)) {
    throw badRequest(wrongType(object.kind, object.apiVersion, resource));
  }
  const { part, whole } = changeOf(resource, before, object);
  const problem = unreadable(resource.custom === undefined ? resource.schema : undefined, part);
  if (problem !== undefined) throw unreadablePatch(object, problem);
  const { object: known, unknown } = pruned(resource, part);
  const problems = unknown.map((field) => unknownField(field, object));
  if (fieldValidation === 'Strict' && problems.length > 0) throw strictPatch(object, problems);
  if (fieldValidation === 'Warn') call.warnings.push(...problems);
  return whole(known);
}

const strictPatch = (object: ApiObject, problems: readonly string[]): StatusError =>
  unreadablePatch(object, `strict decoding error: ${problems.join(', ')}`);

function unreadablePatch(object: ApiObject, problem: string): StatusError {
  const shown = JSON.stringify(JSON.stringify(object));
  return invalid({ group: '', kind: '' }, '', [
    {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${shown}: ${problem}`,
      field: 'patch',
    },
  ]);
}

import { toTimestamp } from '@nodewright/apis';
import { type ApplyOutcome, serverSideApply } from '../../apply/server-side-apply.ts';
import { asJson, asApiObject } from '../../resources/rules.ts';
import { wrapIntegers } from '../../apply/wrap-integers.ts';
import { groupVersion } from '../../resources/served-kind.ts';
import { parseExactJson } from '../../schema/exact-numbers.ts';
import { decodeWithinDepth, parseYamlWithinLimits, ShapeLimitError } from '../../schema/depth.ts';
import { isObject, type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { type ApiObject, changeMetadata } from '../../storage/api-object.ts';
import type { RequestOutcome } from '../outcome.ts';
import type { WriteRequestOptions } from '../request-options.ts';
import { textOrEmpty } from '../../http/go-values.ts';
import {
  badRequestError,
  conflictError,
  internalError,
  modifiedConflictError,
  notFoundError,
  StatusError,
} from '../../http/status-error.ts';
import { decodingProblem, refuseOtherNamespace, wrongTypeMessage } from '../accepted-object.ts';
import type { Resource } from '../../resources/resource.ts';
import type { ResourceCall, ServerContext } from '../world.ts';
import { createObject } from './create.ts';
import { refuseOtherUid } from './metadata-update.ts';
import { refuseUnreadableVersion, replaceObject } from './update.ts';

/** Serves a server-side apply: creates an absent object, else merges the manager's intent into the stored one. */
export function applyObject(world: ServerContext, call: ResourceCall, options: WriteRequestOptions): RequestOutcome {
  const applied = readIntent(call, call.resource);
  const live = world.store.collection(call.resource.collection).get(call.path);
  if (live === undefined) return createByApply(world, call, applied, options);
  const object = applyToExisting(world, call, { applied, before: call.resource.fromStored(live) }, options);
  return { kind: 'object', code: 200, object, resource: call.resource };
}

/** Merges the manager's intent into a stored object. */
export function applyToExisting(
  world: ServerContext,
  call: ResourceCall,
  { applied, before }: Intent & { readonly before: ApiObject },
  options: WriteRequestOptions,
): ApiObject {
  refuseStaleIntent(call, before, applied);
  const after = mergeIntent(world, call, options, { applied: withName(applied, call.path.name), before });
  refuseOtherIntentName(call, applied);
  if (call.path.subresource === '') refuseOtherNamespace(call, asApiObject({ metadata: applied['metadata'] ?? {} }));
  refuseOtherUid(call.resource, before, asApiObject({ metadata: { uid: jsonTextAt(applied, 'metadata', 'uid') } }));
  return replaceObject(world, call, { before, after, options, ownersAreKnown: true });
}

function createByApply(
  world: ServerContext,
  call: ResourceCall,
  applied: JsonObject,
  options: WriteRequestOptions,
): RequestOutcome {
  const { resource, path } = call;
  if (path.subresource !== '') throw notFoundError(resource, path.name);
  if (nameOfIntent(applied) === '' && isObject(applied['metadata'])) {
    throw badRequestError(
      `the name of the object (${path.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  const after = mergeIntent(world, call, options, { applied });
  refuseOtherIntentName(call, applied);
  refuseOtherNamespace(call, after);
  const uid = jsonTextAt(applied, 'metadata', 'uid');
  if (uid !== '')
    throw conflictError(
      resource,
      path.name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  const { managedFields } = after.metadata;
  const object = createObject(world, call, after, options, managedFields);
  return { kind: 'object', code: 201, object, resource: call.resource };
}

/**
 * The manager's whole intent, as YAML or JSON.
 * @param type what the intent is about
 */
export function readIntent({ body }: ResourceCall, type: IntentType): JsonObject {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  const intent = parseIntent(text);
  if (!isObject(intent)) throw badRequestError('error decoding YAML: the document is no object');
  refuseUntypedIntent(intent);
  refuseOtherIntentType(type, intent);
  const metadata = intent['metadata'] ?? {};
  if (memberOf(metadata, 'managedFields') !== undefined) throw badRequestError('metadata.managedFields must be nil');
  return { ...intent, metadata };
}

const nameOfIntent = (applied: JsonObject): string => jsonTextAt(applied, 'metadata', 'name');

const withName = (applied: JsonObject, name: string): JsonObject => {
  const { metadata } = applied;
  return isObject(metadata) ? { ...applied, metadata: { ...metadata, name } } : applied;
};

/** The name of an intent, if it has one, is that of the path. */
function refuseOtherIntentName({ path }: ResourceCall, applied: JsonObject): void {
  const name = nameOfIntent(applied);
  if (name === '' || name === path.name) return;
  throw badRequestError(`the name of the object (${name}) does not match the name on the URL (${path.name})`);
}

/** An intent is about the kind and the version of the path. */
function refuseOtherIntentType(type: IntentType, { apiVersion, kind }: JsonObject): void {
  const expected = groupVersion(type);
  if (apiVersion !== expected) {
    throw badRequestError(
      `Incorrect version specified in apply patch. Specified patch version: ${textOrEmpty(apiVersion)}, expected: ${expected}`,
    );
  }
  if (kind !== type.kind) throw badRequestError(wrongTypeMessage(textOrEmpty(kind), expected, type));
}

function parseIntent(text: string): JsonValue {
  try {
    return decodeWithinDepth(text.length, () => parseJsonOrYaml(text));
  } catch (error) {
    if (error instanceof ShapeLimitError) throw badRequestError(`error decoding YAML: ${error.message}`);
    const line = /line (\d+)/.exec(error instanceof Error ? error.message : '')?.[1] ?? '1';
    throw badRequestError(
      `error decoding YAML: error converting YAML to JSON: yaml: line ${line}: did not find expected node content`,
    );
  }
}

/** Most clients send JSON, which is YAML too and faster to parse. */
function parseJsonOrYaml(text: string): JsonValue {
  try {
    return parseExactJson(text) as JsonValue;
  } catch {
    return parseYamlWithinLimits(text);
  }
}

function refuseUntypedIntent({ apiVersion, kind }: JsonObject): void {
  if (typeof apiVersion === 'string' && typeof kind === 'string') return;
  throw badRequestError(`invalid object type: /, Kind=${typeof kind === 'string' ? kind : ''}`);
}

function refuseStaleIntent({ resource, path }: ResourceCall, before: ApiObject, applied: JsonObject): void {
  const metadata = applied['metadata'];
  const version = isObject(metadata) ? metadata['resourceVersion'] : undefined;
  if (typeof version !== 'string') return;
  refuseUnreadableVersion(version);
  if (version !== '' && version !== before.metadata.resourceVersion) {
    throw modifiedConflictError(resource, path.name);
  }
}

type IntentType = { readonly group: string; readonly version: string; readonly kind: string };

type Intent = { readonly applied: JsonObject; readonly before?: ApiObject };

function mergeIntent(
  world: ServerContext,
  { resource, path }: ResourceCall,
  options: WriteRequestOptions,
  { applied, before }: Intent,
): ApiObject {
  const outcome = serverSideApply({
    ...(before && { live: asJson(before) }),
    applied,
    schema: resource.schema ?? {},
    manager: options.manager,
    force: options.force,
    apiVersion: groupVersion(resource),
    ...(path.subresource !== '' && { subresource: path.subresource }),
    now: toTimestamp(world.clock.now()),
  });
  const object = withWrappedIntegers(resource, appliedObject(outcome));
  refuseUnreadableIntent(resource, object);
  return withoutVersion(object);
}

const withWrappedIntegers = ({ schema, custom }: Resource, object: ApiObject): ApiObject =>
  custom !== undefined || schema === undefined ? object : asApiObject(wrapIntegers(schema, asJson(object)));

/** Values that the schema allows, and the types of a built-in kind do not: a number too large, a text that is no time. */
function refuseUnreadableIntent({ group, version, kind, schema, custom }: Resource, object: ApiObject): void {
  const problem = custom === undefined ? decodingProblem(schema, object) : undefined;
  if (problem === undefined) return;
  const { namespace = '', name } = object.metadata;
  const type = `${group}/${version}, Kind=${kind}`;
  throw internalError(
    `failed to convert new object (${namespace}/${name}; ${type}) to proper version: unable to convert unstructured object to ${type}: error decoding from json: ${problem}`,
  );
}

/** The merge starts from the stored object, whose version is not a precondition of the client. */
const withoutVersion = (object: ApiObject): ApiObject => changeMetadata(object, { resourceVersion: '' });

function appliedObject(outcome: ApplyOutcome): ApiObject {
  switch (outcome.kind) {
    case 'applied':
      return asApiObject(outcome.object);
    case 'conflict':
      throw new StatusError(409, outcome.message, { reason: 'Conflict', details: { causes: outcome.causes } });
    case 'refused':
      throw new StatusError(
        outcome.code,
        outcome.message,
        outcome.reason === undefined ? {} : { reason: outcome.reason },
      );
  }
}

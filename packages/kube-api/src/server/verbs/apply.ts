import { toTimestamp } from '@nodewright/apis';
import { type ApplyOutcome, serverSideApply } from '../../apply/server-side-apply.ts';
import { asJson, asApiObject } from '../../resources/rules.ts';
import { groupVersion } from '../../resources/served-kind.ts';
import { decodeWithinDepth, parseYamlWithinLimits, ShapeLimitError } from '../../schema/depth.ts';
import { isObject, type JsonValue, type JsonObject } from '../../schema/json.ts';
import { type ApiObject, changeMetadata } from '../../storage/api-object.ts';
import type { RequestOutcome } from '../outcome.ts';
import type { WriteRequestOptions } from '../request-options.ts';
import { badRequestError, modifiedConflictError, StatusError } from '../../http/status-error.ts';
import type { ResourceCall, ServerContext } from '../world.ts';
import { createObject } from './create.ts';
import { replaceObject } from './update.ts';

/** Serves a server-side apply: creates an absent object, else merges the manager's intent into the stored one. */
export function applyObject(world: ServerContext, call: ResourceCall, options: WriteRequestOptions): RequestOutcome {
  const { resource, path } = call;
  const applied = readIntent(call);
  const live = world.store.collection(resource.collection).get(path);
  if (live === undefined) return createByApply(world, call, applied, options);
  const before = resource.fromStored(live);
  refuseStaleIntent(call, before, applied);
  const after = mergeIntent(world, call, options, { applied, before });
  const object = replaceObject(world, call, { before, after, options, ownersAreKnown: true });
  return { kind: 'object', code: 200, object, resource };
}

function createByApply(
  world: ServerContext,
  call: ResourceCall,
  applied: JsonObject,
  options: WriteRequestOptions,
): RequestOutcome {
  const after = mergeIntent(world, call, options, { applied });
  const { managedFields } = after.metadata;
  const object = createObject(world, call, after, options, managedFields);
  return { kind: 'object', code: 201, object, resource: call.resource };
}

/** The manager's whole intent, as YAML or JSON. */
function readIntent({ body, path }: ResourceCall): JsonObject {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  const intent = parseIntent(text);
  if (!isObject(intent)) throw badRequestError('error decoding YAML: the document is no object');
  refuseUntypedIntent(intent);
  const metadata = isObject(intent['metadata']) ? intent['metadata'] : {};
  if (metadata['managedFields'] !== undefined) throw badRequestError('metadata.managedFields must be nil');
  return { ...intent, metadata: { ...metadata, name: path.name } };
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
    return JSON.parse(text) as JsonValue;
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
  if (typeof version === 'string' && version !== '' && version !== before.metadata.resourceVersion) {
    throw modifiedConflictError(resource, path.name);
  }
}

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
  return withoutVersion(appliedObject(outcome));
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

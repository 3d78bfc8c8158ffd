import { printLabelTerms, termsOfSelector, type LabelSelector } from '@nodewright/apis';
import type { ScalePaths } from '../../resources/resource.ts';
import { asApiObject, asJson } from '../../resources/rules.ts';
import { isObject, type JsonObject, memberOf } from '../../schema/json.ts';
import { checkFinalizerDomains, checkMetadata } from '../../schema/metadata/check-metadata.ts';
import { type ApiObject, changeMetadata } from '../../storage/api-object.ts';
import { wrongTypeMessage } from '../accepted-object.ts';
import type { Verb } from '../../http/verb.ts';
import type { RequestOutcome } from '../outcome.ts';
import { textOrEmpty } from '../../http/go-values.ts';
import { decodeObject } from '../../http/request-body.ts';
import { type ObjectWriteOptions, readWriteOptions, type WriteRequestOptions } from '../request-options.ts';
import { badRequestError, invalidError } from '../../http/status-error.ts';
import { findExisting } from '../verbs/get.ts';
import { applyToExisting, readIntent } from '../verbs/apply.ts';
import { isApplyPatch, type ObjectPatch, patchObject, readSimplePatch } from '../verbs/patch.ts';
import { withDistinctOwners } from '../distinct-owners.ts';
import { refuseOtherIdentity, replaceObject } from '../verbs/update.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import { readSubresourceObject } from './subresource-body.ts';
import { readPlainPath, withPlainPath } from './plain-path.ts';

const builtInPaths: ScalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

/** Serves the scale subresource: get, update and patch of the number of replicas. */
export function serveScale(world: ServerContext, call: ResourceCall, verb: Verb): RequestOutcome {
  if (verb === 'get') return scaleOutcome(toScale(call, findExisting(world, call)));
  const isApply = verb === 'patch' && isApplyPatch(call);
  const options = readWriteOptions(call, verb === 'update' ? 'UpdateOptions' : 'PatchOptions', { isApply });
  if (isApply) return scaleOutcome(applyScale(world, call, options));
  return scaleOutcome(
    verb === 'update'
      ? updateScale(world, call, decodeObject(call.body, call.headers['content-type'], 'Scale'), options)
      : patchScale(world, call, readSimplePatch(call), options),
  );
}

/** Sets the number of replicas to that of a `Scale`. */
export function updateScale(
  world: ServerContext,
  call: ObjectCall,
  received: JsonObject,
  options: ObjectWriteOptions,
): ApiObject {
  refuseOtherScale(call, received);
  const before = findExisting(world, call);
  return writeScale(world, call, { before, wanted: asApiObject(readSubresourceObject(scaleType, received)), options });
}

/** Changes the number of replicas by a patch of the `Scale`. */
export function patchScale(
  world: ServerContext,
  call: ObjectCall,
  patch: ObjectPatch,
  options: ObjectWriteOptions,
): ApiObject {
  const before = findExisting(world, call);
  return writeScale(world, call, { before, wanted: patchObject(call, toScale(call, before), patch), options });
}

const scaleType = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** Applies a number of replicas. The manager owns the field of the scaled object. */
function applyScale(world: ServerContext, call: ResourceCall, options: WriteRequestOptions): ApiObject {
  const before = findExisting(world, call);
  const { metadata, spec } = readIntent(call, scaleType);
  const replicas = memberOf(spec, 'replicas') ?? 0;
  if (typeof replicas === 'number' && replicas < 0) throw negativeReplicasError(call, replicas);
  const named = { apiVersion: before.apiVersion, kind: before.kind, metadata };
  const applied = asJson(withPlainPath(asApiObject(named), scalePaths(call).specReplicasPath, replicas));
  return toScale(call, applyToExisting(world, call, { applied, before }, options));
}

type ScaleWrite = { readonly before: ApiObject; readonly wanted: ApiObject; readonly options: ObjectWriteOptions };

function writeScale(world: ServerContext, call: ObjectCall, { before, wanted: given, options }: ScaleWrite): ApiObject {
  const wanted = withDistinctOwners(call, given);
  refuseBadScale(call, before, wanted);
  const after = replaceObject(world, call, { before, after: withScaledReplicas(call, before, wanted), options });
  return toScale(call, after);
}

/** The metadata of a `Scale` is checked as that of an object, though only its version has an effect. */
function refuseBadScale({ resource, path }: ObjectCall, before: ApiObject, wanted: ApiObject): void {
  refuseOtherIdentity({ resource, path }, before, wanted);
  if (resource.custom !== undefined) return;
  const object = asJson(wanted);
  const causes = [...checkMetadata({ object }), ...checkFinalizerDomains(object)];
  if (causes.length > 0) throw invalidError({ group: 'autoscaling', kind: 'Scale' }, path.name, causes);
}

const scaleOutcome = (body: ApiObject): RequestOutcome => ({ kind: 'document', code: 200, body });

const scalePaths = ({ resource }: ObjectCall): ScalePaths => resource.custom?.scale ?? builtInPaths;

function toScale(call: ObjectCall, object: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const { specReplicasPath, statusReplicasPath } = scalePaths(call);
  const selector = scaleSelector(call, object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject['metadata'],
    spec: nonZeroMember('replicas', readPlainPath(object, specReplicasPath)),
    status: { replicas: readPlainPath(object, statusReplicasPath) ?? 0, ...(selector !== undefined && { selector }) },
  };
}

/** Go omits a zero in the specification of a scale. */
const nonZeroMember = (name: string, value: unknown): object =>
  value === undefined || value === 0 ? {} : { [name]: value };

function scaleSelector(call: ObjectCall, object: ApiObject): string | undefined {
  const { labelSelectorPath } = scalePaths(call);
  if (labelSelectorPath !== undefined) return readPlainPath(object, labelSelectorPath) as string | undefined;
  if (call.resource.custom !== undefined) return undefined;
  const given = readPlainPath(object, '.spec.selector');
  const isPlain = call.resource.collection === 'replicationcontrollers' && given !== undefined;
  const selector = (isPlain ? { matchLabels: given } : given) as LabelSelector | undefined;
  return selector && printLabelTerms(termsOfSelector(selector));
}

function refuseOtherScale(
  { path }: ObjectCall,
  { kind = 'Scale', apiVersion = 'autoscaling/v1', metadata }: JsonObject,
): void {
  if (kind !== 'Scale') {
    throw badRequestError(
      wrongTypeMessage(textOrEmpty(kind), textOrEmpty(apiVersion), { group: 'autoscaling', kind: 'Scale' }),
    );
  }
  const name = isObject(metadata) ? (metadata['name'] ?? '') : '';
  if (name === '') {
    throw badRequestError(
      `the name of the object (${path.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (typeof name === 'string' && name !== path.name) {
    throw badRequestError(`the name of the object (${name}) does not match the name on the URL (${path.name})`);
  }
}

function withScaledReplicas(call: ObjectCall, before: ApiObject, { metadata, spec }: ApiObject): ApiObject {
  const replicas = ((spec ?? {}) as { readonly replicas?: number }).replicas ?? 0;
  if (replicas < 0) throw negativeReplicasError(call, replicas);
  const after = withPlainPath(before, scalePaths(call).specReplicasPath, replicas);
  return changeMetadata(after, { resourceVersion: metadata.resourceVersion ?? '' });
}

const negativeReplicasError = ({ path }: ObjectCall, replicas: number): Error =>
  invalidError({ group: 'autoscaling', kind: 'Scale' }, path.name, [
    {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${replicas}: must be greater than or equal to 0`,
      field: 'spec.replicas',
    },
  ]);

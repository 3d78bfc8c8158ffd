import { printLabelTerms, termsOfSelector, type LabelSelector } from '@nodewright/apis';
import type { ScalePaths } from '../../resources/resource.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';
import { type ApiObject, withMetadata } from '../../storage/api-object.ts';
import { wrongType } from '../accepted-object.ts';
import type { Verb } from '../../http/verb.ts';
import type { Outcome } from '../outcome.ts';
import { textOf } from '../../http/go-values.ts';
import { decodeObject } from '../../http/request-body.ts';
import { writeOptions } from '../request-options.ts';
import { badRequest, invalid } from '../../http/status-error.ts';
import { existing } from '../verbs/get.ts';
import { patchedObject, simplePatchTypeOf } from '../verbs/patch.ts';
import { replaceObject } from '../verbs/update.ts';
import type { Call, World } from '../world.ts';
import { valueAtPath, withValueAtPath } from './plain-path.ts';

const builtInPaths: ScalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

/** The number of replicas, for everything that has one: read, replaced or patched. */
export function scale(world: World, call: Call, verb: Verb): Outcome {
  const before = existing(world, call);
  const current = scaleOf(call, before);
  if (verb === 'get') return scaleOutcome(current);
  const options = writeOptions(call, verb === 'update' ? 'UpdateOptions' : 'PatchOptions');
  const wanted = verb === 'update' ? replacement(call) : patchedObject(call, current, simplePatchTypeOf(call));
  const after = replaceObject(world, call, { before, after: scaled(call, before, wanted), options });
  return scaleOutcome(scaleOf(call, after));
}

const scaleOutcome = (body: ApiObject): Outcome => ({ kind: 'document', code: 200, body });

const pathsOf = ({ resource }: Call): ScalePaths => resource.custom?.scale ?? builtInPaths;

function scaleOf(call: Call, object: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const { specReplicasPath, statusReplicasPath } = pathsOf(call);
  const selector = selectorOf(call, object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject['metadata'],
    spec: nonZero('replicas', valueAtPath(object, specReplicasPath)),
    status: { replicas: valueAtPath(object, statusReplicasPath) ?? 0, ...(selector !== undefined && { selector }) },
  };
}

/** Go leaves a zero out of a scale's specification. */
const nonZero = (name: string, value: unknown): object => (value === undefined || value === 0 ? {} : { [name]: value });

function selectorOf(call: Call, object: ApiObject): string | undefined {
  const { labelSelectorPath } = pathsOf(call);
  if (labelSelectorPath !== undefined) return valueAtPath(object, labelSelectorPath) as string | undefined;
  if (call.resource.custom !== undefined) return undefined;
  const selector = valueAtPath(object, '.spec.selector') as LabelSelector | undefined;
  return selector && printLabelTerms(termsOfSelector(selector));
}

function replacement(call: Call): ApiObject {
  const body = decodeObject(call.body, call.headers['content-type'], 'Scale');
  refuseOther(call, body);
  return body as unknown as ApiObject;
}

function refuseOther({ path }: Call, { kind = 'Scale', apiVersion = 'autoscaling/v1', metadata }: JsonObject): void {
  if (kind !== 'Scale') {
    throw badRequest(wrongType(textOf(kind), textOf(apiVersion), { group: 'autoscaling', kind: 'Scale' }));
  }
  const name = isObject(metadata) ? metadata['name'] : undefined;
  if (typeof name === 'string' && name !== path.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${path.name})`);
  }
}

function scaled(call: Call, before: ApiObject, { metadata, spec }: ApiObject): ApiObject {
  const replicas = ((spec ?? {}) as { readonly replicas?: number }).replicas ?? 0;
  if (replicas < 0) throw negative(call, replicas);
  const after = withValueAtPath(before, pathsOf(call).specReplicasPath, replicas);
  return withMetadata(after, { resourceVersion: metadata.resourceVersion ?? '' });
}

const negative = ({ path }: Call, replicas: number): Error =>
  invalid({ group: 'autoscaling', kind: 'Scale' }, path.name, [
    {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${replicas}: must be greater than or equal to 0`,
      field: 'spec.replicas',
    },
  ]);

import { admitConnection, admitRemoval, admitWrite } from '../admission/chain.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { forbiddenError } from '../http/status-error.ts';
import type { ObjectCall, ServerContext } from './world.ts';

type AdmittedWrite = {
  readonly object: ApiObject;
  /** The stored object of an update. */
  readonly old?: ApiObject;
  readonly dryRun: boolean;
};

/**
 * The one place where a verb asks admission about a new or changed object.
 * @param finish completes and validates the object after the plugins that change it
 */
export function admitObject(
  world: ServerContext,
  call: ObjectCall,
  { object, old, dryRun }: AdmittedWrite,
  finish: (object: ApiObject) => ApiObject,
): ApiObject {
  const { resource, path, user, warnings } = call;
  if (old === undefined) refuseTerminatingDefinition(call, object);
  const attributes = {
    operation: old === undefined ? 'CREATE' : 'UPDATE',
    resource,
    subresource: path.subresource,
    namespace: resource.namespaced ? path.namespace : '',
    name: object.metadata.name,
    user,
    object,
    ...(old && { old }),
    dryRun,
    warnings,
  } as const;
  return admitWrite(attributes, world, finish);
}

function refuseTerminatingDefinition({ resource }: ObjectCall, { metadata }: ApiObject): void {
  if (resource.custom?.isTerminating !== true) return;
  throw forbiddenError(resource, metadata.name, 'create not allowed while custom resource definition is terminating');
}

/** The one place where a verb asks admission about the deletion of an object. */
export function admitDeletion(
  world: ServerContext,
  { resource, user, warnings }: ObjectCall,
  stored: ApiObject,
  { dryRun }: { readonly dryRun: boolean },
): void {
  const { name, namespace = '' } = stored.metadata;
  const old = resource.fromStored(stored);
  admitRemoval({ operation: 'DELETE', resource, subresource: '', namespace, name, user, old, dryRun, warnings }, world);
}

/**
 * The one place where a subresource asks admission about a document that is written to it, such as a binding or an
 * eviction.
 */
export function admitSubresource(
  world: ServerContext,
  { resource, path, user, warnings }: ObjectCall,
  object: ApiObject,
  target: ApiObject,
  { dryRun = false } = {},
): void {
  const { namespace, name, subresource } = path;
  const about = { resource, subresource, namespace, name, user, object, target };
  admitConnection({ operation: 'CREATE', ...about, dryRun, warnings }, world);
}

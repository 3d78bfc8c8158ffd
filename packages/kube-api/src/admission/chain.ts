import type { ApiObject } from '../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView, WriteAttributes } from './attributes.ts';
import { requireActiveNamespace } from './plugins/namespace-lifecycle.ts';

/**
 * Runs the admission chain of a write in the order of Kubernetes.
 * @param finish completes and validates the object, between the plugins that change it and those that only refuse it
 * @returns the object to store
 * @throws StatusError when a plugin refuses the write
 */
export function admitWrite(
  attributes: WriteAttributes,
  view: AdmissionView,
  finish: (object: ApiObject) => ApiObject,
): ApiObject {
  requireActiveNamespace(attributes, view);
  return finish(attributes.object);
}

/**
 * Runs the admission chain of a deletion.
 * @throws StatusError when a plugin refuses it
 */
export function admitRemoval(attributes: AdmissionAttributes, view: AdmissionView): void {
  requireActiveNamespace(attributes, view);
}

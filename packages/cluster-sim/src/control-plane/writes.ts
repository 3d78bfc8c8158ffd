import { type KubernetesObject, type Pod, pods, type ResourceType } from '@nodewright/apis';
import type { DeleteOptions, KubernetesClient } from '@nodewright/runtime';
import { keyOfMeta } from '../objects/object-key.ts';
import { unlessGone, unlessRefusedAs } from './refusals.ts';

/** Merges fields into the status of an object. An object that is gone needs none. */
export async function patchStatus<T extends KubernetesObject>(
  client: KubernetesClient,
  type: ResourceType<T>,
  { metadata }: KubernetesObject,
  status: object,
): Promise<void> {
  const patch = { type: 'merge', patch: { status } } as const;
  await unlessGone(client.patch(type, keyOfMeta(metadata), patch, { subresource: 'status' }));
}

/**
 * Merges fields into the status of this very pod. A pod that is gone, or has a successor of the same name, needs none.
 * @returns the pod as it is now; undefined when nothing was written
 */
export function patchPodStatus(client: KubernetesClient, { metadata }: Pod, status: object): Promise<Pod | undefined> {
  const patch = { type: 'merge', patch: { metadata: { uid: metadata.uid }, status } } as const;
  const written = client.patch(pods, keyOfMeta(metadata), patch, { subresource: 'status' });
  return unlessRefusedAs('Conflict', unlessGone(written));
}

/** Deletes this very object: a successor of the same name stays. */
export async function deleteSameObject(
  client: KubernetesClient,
  type: ResourceType,
  { metadata }: KubernetesObject,
  options: Omit<DeleteOptions, 'preconditions'> = {},
): Promise<void> {
  const { uid } = metadata;
  const guarded: DeleteOptions = uid === undefined ? options : { ...options, preconditions: { uid } };
  await unlessRefusedAs('Conflict', unlessGone(client.delete(type, keyOfMeta(metadata), guarded)));
}

import { apiVersionOf, type KubernetesObject, type Pod, readOwn, type ResourceType } from '@nodewright/apis';
import { ApiError, type KubernetesClient, listAll } from '@nodewright/runtime';
import { resourceNameOf, snapshotKinds } from './kinds.ts';
import { projectPod, withoutBookkeeping } from './project-object.ts';
import type { OrUnread } from './unread.ts';

export type ClusterObjects = Readonly<Record<string, readonly KubernetesObject[]>>;

/** Lists every kind of a snapshot, page by page. A kind that the cluster does not serve has no objects. */
export async function readClusterObjects(client: KubernetesClient, orUnread: OrUnread): Promise<ClusterObjects> {
  const read: (readonly [string, readonly KubernetesObject[]])[] = [];
  for (const type of snapshotKinds) {
    const name = resourceNameOf(type);
    const objects = await orUnread(name, [], () => listServed(client, type));
    if (objects.length > 0) read.push([name, objects.map((object) => asStored(object, type))]);
  }
  return Object.fromEntries(read);
}

async function listServed(client: KubernetesClient, type: ResourceType): Promise<readonly KubernetesObject[]> {
  try {
    return (await listAll(client, type)).items;
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return [];
    throw error;
  }
}

/** Items of a list have no type of their own. */
function asStored(object: KubernetesObject, type: ResourceType): KubernetesObject {
  const { kind: _, apiVersion: _version, ...rest } = withoutBookkeeping(object);
  const whole = { kind: type.kind, apiVersion: apiVersionOf(type), ...rest };
  return type.plural === 'pods' ? projectPod(whole as Pod) : whole;
}

/** The objects of a kind in a snapshot. */
export const snapshotObjects = <T extends KubernetesObject>(
  objects: ClusterObjects,
  type: ResourceType<T>,
): readonly T[] => (readOwn(objects, resourceNameOf(type)) ?? []) as readonly T[];

import type { KubernetesObject, ResourceType } from '@nodewright/apis';
import { listAll, type KubernetesClient } from '@nodewright/runtime';
import { isForbiddenAnswer, isNotFoundAnswer } from './collection.ts';

/** All objects of a kind; none where its definition is not installed, or the caller may not read them. */
export async function listIfServed<T extends KubernetesObject>(
  client: KubernetesClient,
  kind: ResourceType<T>,
): Promise<readonly T[]> {
  try {
    return (await listAll(client, kind)).items;
  } catch (error) {
    if (isNotFoundAnswer(error) || isForbiddenAnswer(error)) return [];
    throw error;
  }
}

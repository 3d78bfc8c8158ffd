import { type ImageRule, imageRules } from '@nodewright/apis';
import { listAll, type KubernetesClient } from '@nodewright/runtime';
import { isNotFoundAnswer } from './objects/collection.ts';

/** The rules of the cluster; none where the definition is not installed. */
export async function readImageRules(client: KubernetesClient): Promise<readonly ImageRule[]> {
  try {
    return (await listAll(client, imageRules)).items;
  } catch (error) {
    if (isNotFoundAnswer(error)) return [];
    throw error;
  }
}

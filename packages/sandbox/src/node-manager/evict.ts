import { ApiError, type KubernetesClient, type ObjectKey } from '@nodewright/runtime';

/** Asks a pod to leave. A budget that holds it, two budgets that overlap, and a pod that is gone are no errors. */
export async function requestEviction(client: KubernetesClient, pod: ObjectKey): Promise<void> {
  try {
    await client.evict(pod);
  } catch (error) {
    if (error instanceof ApiError && [404, 429, 500].includes(error.code)) return;
    throw error;
  }
}

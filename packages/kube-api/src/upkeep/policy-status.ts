import { policyCollection } from '../admission/policies/policy-objects.ts';
import type { ApiObjectStore } from '../storage/store.ts';

/**
 * Keeps the status of admission policies: which generation is in force, and that its expressions were looked at. Types are
 * not checked against the schemas of the resources, so no warnings are found.
 */
export function keepPolicyStatus(store: ApiObjectStore): void {
  store.collection(policyCollection).subscribe(({ type, object }) => {
    const { generation: observedGeneration } = object.metadata;
    const status = object['status'] as { readonly observedGeneration?: number } | undefined;
    if (type === 'DELETED' || status?.observedGeneration === observedGeneration) return;
    store.put(policyCollection, { ...object, status: { ...status, observedGeneration, typeChecking: {} } });
  });
}

/**
 * What keeps a node from being drained: a pod and its PodDisruptionBudget; a pod that its annotation
 * `karpenter.sh/do-not-disrupt` protects; or, without a pod, that annotation of the node.
 */
export type DrainKeeper = { readonly pod?: string; readonly podDisruptionBudget?: string };

/** One clause: `pod default/db-0 keeps it (PodDisruptionBudget default/db)`. */
export function printDrainKeeper({ pod, podDisruptionBudget }: DrainKeeper): string {
  if (pod === undefined) return 'its annotation karpenter.sh/do-not-disrupt keeps it';
  const why =
    podDisruptionBudget === undefined ? 'karpenter.sh/do-not-disrupt' : `PodDisruptionBudget ${podDisruptionBudget}`;
  return `pod ${pod} keeps it (${why})`;
}

/** How many nodes a group may replace at once: a number or a share of its nodes; one when neither is given. */
export type UnavailableLimit = { readonly maxUnavailable?: number; readonly maxUnavailablePercentage?: number };

const mostInParallel = 100;

/** Shares round down, to one at least and a hundred at most: 33% of 10 nodes is 3, of 2 nodes 1. */
export function countParallelReplacements(
  { maxUnavailable, maxUnavailablePercentage }: UnavailableLimit,
  nodes: number,
): number {
  const asked =
    maxUnavailablePercentage === undefined
      ? (maxUnavailable ?? 1)
      : Math.floor((nodes * maxUnavailablePercentage) / 100);
  return Math.min(mostInParallel, Math.max(1, asked));
}

/** How many instances a group grows by before nodes are replaced: two per zone, or the parallelism where that is more. */
export const countSurgeInstances = ({
  zones,
  parallel,
}: {
  readonly zones: number;
  readonly parallel: number;
}): number => Math.max(2 * zones, parallel);

import { latestPerObject, type NodePool } from '@nodewright/apis';
import { isEqualDiffValue } from '../objects/merge-diff.ts';

/**
 * The NodePool as decisions see it: the same object as before while nothing but its status has changed.
 *
 * The status counts the nodes of the pool, so it changes with every node. What was worked out from the pool holds on.
 */
export const ignorePoolStatus = (pool: NodePool): NodePool => latestPool(pool.spec, pool);

const latestPool = latestPerObject(
  (_: NodePool['spec'], pool: NodePool) => pool,
  (before, now) => isEqualDiffValue(metadataOfPool(before), metadataOfPool(now)),
);

function metadataOfPool({ metadata }: NodePool): unknown {
  const { resourceVersion: _, managedFields: __, ...rest } = metadata;
  return rest;
}

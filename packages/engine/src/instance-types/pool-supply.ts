import type { NodePool } from '@nodewright/apis';
import type { InstanceType } from './instance-type.ts';

/** A NodePool that may be launched from: managed, dynamic, ready, not leaving. */
export type PoolSupply = {
  readonly nodePool: NodePool;
  /** What its NodeClass could give, in any order. A pool without types is passed over. */
  readonly instanceTypes: readonly InstanceType[];
};

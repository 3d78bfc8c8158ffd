import type { UpdateLimits } from '@nodewright/nodegroups';
import type { Clock, KubernetesClient, Random } from '@nodewright/runtime';
import type { NodeGroups } from '@nodewright/aws-endpoints';
import type { ClusterWatches } from '@nodewright/cluster-sim';

/** What every part of the node manager works with. */
export type GroupManager = {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: KubernetesClient;
  readonly watches: ClusterWatches;
  readonly nodeGroups: NodeGroups;
  readonly limits: UpdateLimits;
  /** What becomes of new nodes when an update fails half way: people have seen both. */
  readonly onFailure: 'leave' | 'revert';
};

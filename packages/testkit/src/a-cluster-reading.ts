import type { NodePool, Pod, PodDisruptionBudget } from '@nodewright/apis';
import type { InstanceType, NodeState } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import { aSnapshot } from './a-shrinking-cluster.ts';

type ReadingTraits = {
  readonly nodes?: readonly NodeState[];
  readonly pool?: NodePool;
  readonly instanceTypes?: readonly InstanceType[];
  /** Pods without a node. Those of nodes are in the nodes. */
  readonly pods?: readonly Pod[];
  readonly podDisruptionBudgets?: readonly PodDisruptionBudget[];
  readonly round?: Partial<ClusterReading['round']>;
  readonly rollouts?: ClusterReading['rollouts'];
  readonly rolloutObjects?: Partial<ClusterReading['rolloutObjects']>;
  readonly nodeClasses?: ClusterReading['nodeClasses'];
  readonly nodeGroups?: ClusterReading['nodeGroups'];
};

/** One look at a cluster in which nothing else is going on. */
export function aClusterReading(traits: ReadingTraits = {}): ClusterReading {
  const { nodes = [], pool, instanceTypes, pods = [], podDisruptionBudgets = [] } = traits;
  const disruption = aSnapshot(nodes, {
    ...(pool === undefined ? {} : { pool }),
    ...(instanceTypes === undefined ? {} : { instanceTypes }),
    podDisruptionBudgets,
  });
  return {
    nodeClasses: traits.nodeClasses ?? [],
    nodePools: disruption.supplies.map(({ nodePool }) => nodePool),
    nodeClaims: nodes.flatMap(({ nodeClaim }) => nodeClaim ?? []),
    nodeGroups: traits.nodeGroups ?? [],
    pods: [...nodes.flatMap((state) => state.pods), ...pods],
    disruption,
    rolloutObjects: { policies: [], rollouts: [], pauses: [], ...traits.rolloutObjects },
    rollouts: traits.rollouts ?? [],
    spotToSpot: false,
    unsuppliedPools: new Map(),
    round: {
      ignored: [],
      newNodes: [],
      existing: [],
      unschedulable: [],
      waiting: [],
      deferred: [],
      ...traits.round,
    },
  };
}

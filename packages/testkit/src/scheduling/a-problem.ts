import type { Pod } from '@nodewright/apis';
import type { InstanceType, SchedulingProblem } from '@nodewright/engine';
import { aNodePool } from '../a-node-pool.ts';

/** Pods for which one pool has these types to buy, in a cluster without a node. */
export const aProblem = (pods: readonly Pod[], instanceTypes: readonly InstanceType[]): SchedulingProblem => ({
  nodePools: [{ nodePool: aNodePool(), instanceTypes }],
  nodes: [],
  pods,
  daemonPods: [],
  namespaces: [],
  options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
});

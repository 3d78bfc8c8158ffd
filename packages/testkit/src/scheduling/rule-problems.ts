import type { NodePool, NodeSelectorTerm, Pod, PodSpec } from '@nodewright/apis';
import type { InstanceType, SchedulingProblem } from '@nodewright/engine';
import { aNodePool } from '../a-node-pool.ts';
import { aPod } from '../a-pod.ts';

/** The part of a problem that says what one pool has to buy. */
export const supplyOfPool = (
  instanceTypes: readonly InstanceType[],
  nodePool: NodePool = aNodePool(),
): Partial<SchedulingProblem> => ({ nodePools: [{ nodePool, instanceTypes }] });

/** A pod for nodes that any of these terms matches. */
export const requiringNodes = (...terms: readonly object[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((term): NodeSelectorTerm => ({ matchExpressions: [term as never] })),
      },
    },
  },
});

/** A pod of a DaemonSet that asks for one processor. */
export const aDaemonPod = (name: string, more: Parameters<typeof aPod>[1] = {}): Pod =>
  aPod(name, { requests: { cpu: 1 }, ownerKind: 'DaemonSet', ...more });

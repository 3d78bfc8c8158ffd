import { type Condition, type NodePool, type Pod, readOwn } from '@nodewright/apis';
import type { DisruptionSnapshot, InstanceType, NodeState } from '@nodewright/engine';
import { aNode } from './a-node.ts';
import { aNodePool } from './a-node-pool.ts';
import { anInstanceType } from './an-instance-type.ts';
import { aPod } from './a-pod.ts';

/** On demand 0.08, 0.16, 0.32 and 0.64 dollars per hour, spot about a third of it. */
export const fourTypes = [2, 4, 8, 16].map((cpu) => anInstanceType(`c${cpu}`, { cpu }));

const quiet: readonly Condition[] = [{ type: 'Consolidatable', status: 'True' }];

const sizes: Readonly<Record<string, string>> = { c2: '2', c4: '4', c8: '8', c16: '16' };

/** A node that may be consolidated: of type c4, unless told otherwise, and as large. */
export function aQuietNode(
  name: string,
  traits: Parameters<typeof aNode>[1] & { readonly capacityType?: string } = {},
): NodeState {
  const { capacityType, ...own } = traits;
  const cpu = readOwn(sizes, own.instanceType ?? 'c4') ?? '4';
  return aNode(name, {
    claimConditions: quiet,
    allocatable: { cpu, memory: `${Number(cpu) * 2}Gi`, pods: '110' },
    ...own,
    labels: { ...(capacityType === undefined ? {} : { 'karpenter.sh/capacity-type': capacityType }), ...own.labels },
  });
}

/** A pod of a workload, which runs on that node. */
export const aRunningPod = (
  name: string,
  node: string,
  cpu: number | string,
  traits: Parameters<typeof aPod>[1] = {},
): Pod => aPod(name, { nodeName: node, requests: { cpu }, ownerKind: 'ReplicaSet', ...traits });

/** A pool that may be disrupted as fast as it goes. */
export const aLoosePool = (name = 'default', traits: Parameters<typeof aNodePool>[1] = {}): NodePool =>
  aNodePool(name, {
    ...traits,
    disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }], ...traits.disruption },
  });

type Surroundings = Partial<DisruptionSnapshot> & {
  readonly pool?: NodePool;
  readonly instanceTypes?: readonly InstanceType[];
};

/** A cluster of these nodes, with one pool and nothing else around. */
export function aSnapshot(nodes: readonly NodeState[], around: Surroundings = {}): DisruptionSnapshot {
  const { pool = aLoosePool(), instanceTypes = fourTypes, ...more } = around;
  return {
    supplies: [{ nodePool: pool, instanceTypes }],
    nodes,
    queued: new Set(),
    pendingPods: [],
    daemonPods: [],
    namespaces: [],
    podDisruptionBudgets: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
    ...more,
  };
}

import type { Condition, KubernetesObject, NodePool, Pod, ResourceType } from '@nodewright/apis';
import { problemFrom, type InstanceType } from '@nodewright/engine';
import type { KubernetesClient } from '@nodewright/runtime';
import { largeCluster, withPods } from '../scheduling/cases/large-cluster.ts';

/** The objects of a cluster of 5,000 full nodes and 100,000 pods, by the plural name of their kind. */
export type Cluster = {
  readonly objects: Readonly<Record<string, readonly KubernetesObject[]>>;
  readonly instanceTypes: readonly InstanceType[];
  /** So many new pods that wait; others for every number. */
  readonly waiting: (count: number, number: number) => readonly Pod[];
};

const createdAt = '2024-01-28T16:00:00Z';

export function cluster(): Cluster {
  const problem = problemFrom(largeCluster());
  const [supply] = problem.nodePools;
  if (supply === undefined) throw new Error('the large cluster has no NodePool');
  const nodes = problem.nodes.flatMap(({ node }) => node ?? []);
  const claims = problem.nodes.flatMap(({ nodeClaim }) => nodeClaim ?? []);
  const { name } = supply.nodePool.spec.template.spec.nodeClassRef;
  return {
    objects: {
      nodepools: [ready(supply.nodePool)],
      ec2nodeclasses: [stored({ metadata: { name } })],
      nodes: nodes.map((node) => stored({ ...node, status: { ...node.status, conditions: [condition('Ready')] } })),
      nodeclaims: claims.map((claim) =>
        stored({ ...claim, status: { ...claim.status, conditions: stages.map(condition) } }),
      ),
      pods: problem.nodes.flatMap(({ pods }) => pods.map((pod) => stored(owned(pod)))),
    },
    instanceTypes: supply.instanceTypes,
    waiting: (count, number) =>
      withPods(problem, count, number).pods.map((pod) => stored({ ...owned(pod), status: unscheduled })),
  };
}

/** The pod once it has a node. */
export const bound = (pod: Pod, nodeName: string): Pod =>
  stored({ ...pod, spec: { ...pod.spec, nodeName }, status: { phase: 'Running' } });

/** Lists what there is, page by page, and knows nothing else. */
export function listingClient({ objects }: Cluster): KubernetesClient {
  const list = async (type: ResourceType, options: { limit?: number; continue?: string } = {}) => {
    const items = objects[type.plural] ?? [];
    const from = Number(options.continue ?? 0);
    const to = from + (options.limit ?? items.length);
    const metadata = { resourceVersion: '1', ...(to < items.length ? { continue: String(to) } : {}) };
    return Promise.resolve({ items: items.slice(from, to), metadata });
  };
  return { list } as unknown as KubernetesClient;
}

const stages = ['Launched', 'Registered', 'Initialized', 'Ready', 'Consolidatable'];

function condition(type: string): Condition {
  return { type, status: 'True', reason: type, message: '', lastTransitionTime: createdAt, observedGeneration: 1 };
}

const unscheduled: NonNullable<Pod['status']> = {
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
};

let revision = 0;

function stored<T extends KubernetesObject>(object: T): T {
  const resourceVersion = String((revision += 1));
  const { name, namespace = '' } = object.metadata;
  const known = { uid: `${namespace}/${name}`, generation: 1, creationTimestamp: createdAt };
  return { ...object, metadata: { ...known, ...object.metadata, resourceVersion } };
}

const owned = (pod: Pod): Pod => ({
  ...pod,
  metadata: {
    ...pod.metadata,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'app', uid: 'app', controller: true }],
  },
});

function ready(pool: NodePool): NodePool {
  const disruption = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '1m' } as const;
  return stored({
    ...pool,
    spec: { ...pool.spec, disruption: { ...disruption, budgets: [{ nodes: '10%' }] } },
    status: { conditions: [condition('Ready')] },
  });
}

import { type Node, nodes, type Taint } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { unlessGone } from '@nodewright/cluster-sim';

/** What tells a node that an update is about to replace. */
export const updateMarkTaint: Taint = {
  key: 'eks.amazonaws.com/nodegroup',
  value: 'unschedulable',
  effect: 'NoSchedule',
};

const offLoadBalancers = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** New pods stay away from the node, and load balancers forget it. */
export const markForUpdate = (client: KubernetesClient, name: string): Promise<void> =>
  patchNode(client, name, (node) => {
    const taints = node.spec?.taints ?? [];
    if (taints.some(({ key }) => key === updateMarkTaint.key)) return undefined;
    return {
      metadata: { labels: { [offLoadBalancers]: 'true' } },
      spec: { taints: [...taints, updateMarkTaint] },
    };
  });

export const removeUpdateMark = (client: KubernetesClient, name: string): Promise<void> =>
  patchNode(client, name, (node) => {
    const taints = node.spec?.taints ?? [];
    const isMarked = taints.some(({ key }) => key === updateMarkTaint.key);
    if (!isMarked) return undefined;
    const kept = taints.filter(({ key }) => key !== updateMarkTaint.key);
    return { metadata: { labels: { [offLoadBalancers]: null } }, spec: { taints: kept } };
  });

export const setUnschedulable = (client: KubernetesClient, name: string, unschedulable: boolean): Promise<void> =>
  patchNode(client, name, (node) =>
    (node.spec?.unschedulable ?? false) === unschedulable
      ? undefined
      : { spec: { unschedulable: unschedulable ? true : null } },
  );

type MarkedNodeChange = { readonly metadata?: object; readonly spec?: object };

/** Reads, and writes under the lock of what was read; nothing to do for a node that is gone. */
export async function patchNode(
  client: KubernetesClient,
  name: string,
  change: (node: Node) => MarkedNodeChange | undefined,
): Promise<void> {
  const node = await client.get(nodes, { name });
  const wanted = node && change(node);
  if (node === undefined || wanted === undefined) return;
  const patch = { ...wanted, metadata: { ...wanted.metadata, resourceVersion: node.metadata.resourceVersion } };
  await unlessGone(client.patch(nodes, { name }, { type: 'merge', patch }));
}

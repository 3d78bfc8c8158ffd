import { type CSINode, csiNodes, kubernetesLabels, nodes, type Node, type Pod } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { unlessRefusedAs } from '../control-plane/refusals.ts';
import type { BootedMachine } from '@nodewright/aws-endpoints';
import { ebsContainer, ebsDriver, ebsZoneLabel } from '../volumes/drivers.ts';

type RegisteredStorage = {
  readonly machine: BootedMachine;
  readonly node: Node;
  /** Those on the node. */
  readonly pods: readonly Pod[];
};

/** Tells which storage drivers a node has, as the daemon of the EBS driver lets its kubelet do; it goes with the node. */
export async function registerStorage(client: KubernetesClient, storage: RegisteredStorage): Promise<void> {
  await unlessRefusedAs('AlreadyExists', client.create(csiNodes, csiNodeOf(storage)));
}

const csiNodeOf = ({ machine: { instanceId, shape }, node: { metadata }, pods }: RegisteredStorage): CSINode => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  metadata: {
    name: metadata.name,
    ownerReferences: [{ apiVersion: 'v1', kind: nodes.kind, name: metadata.name, uid: metadata.uid ?? '' }],
  },
  spec: {
    drivers: [
      {
        name: ebsDriver,
        nodeID: instanceId,
        topologyKeys: [kubernetesLabels.os, ebsZoneLabel, kubernetesLabels.zone],
        allocatable: { count: readVolumeLimit(pods) ?? shape.volumes },
      },
    ],
  },
});

/** The limit that the arguments of the driver's daemon set. */
function readVolumeLimit(pods: readonly Pod[]): number | undefined {
  const daemons = pods.flatMap(({ spec }) => spec.containers).filter(({ name }) => name === ebsContainer);
  const limits = daemons.flatMap(({ args = [] }) => args).map((arg) => /^--volume-attach-limit=(\d+)$/.exec(arg)?.[1]);
  const last = limits.findLast((limit) => limit !== undefined);
  return last === undefined ? undefined : Number(last);
}

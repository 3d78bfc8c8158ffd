import { type CSINode, csiNodes, kubernetesLabels, nodes, type Node } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { unlessRefusedAs } from '../control-plane/refusals.ts';
import type { BootedMachine } from '@nodewright/aws-endpoints';
import { ebsDriver, ebsZoneLabel } from '../volumes/drivers.ts';

/** Tells which storage drivers a node has, as the daemon of the EBS driver lets its kubelet do; it goes with the node. */
export async function registerStorage(client: KubernetesClient, machine: BootedMachine, node: Node): Promise<void> {
  await unlessRefusedAs('AlreadyExists', client.create(csiNodes, csiNodeOf(machine, node)));
}

const csiNodeOf = ({ instanceId, shape }: BootedMachine, { metadata }: Node): CSINode => ({
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
        allocatable: { count: shape.volumes },
      },
    ],
  },
});

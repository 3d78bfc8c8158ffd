import type { Pod } from '@nodewright/apis';
import type { NodeState } from '../../../cluster/node-state.ts';
import { isCompatible } from '@nodewright/requirements';
import { AttachmentRoom } from '../../../volumes/attached-volumes.ts';
import { takenPort, type PodHostPort } from '../../../pods/host-ports.ts';
import type { PlacementRefusal } from '../planned-node.ts';
import type { PodClass, PodForm } from '../../pods/pod-class.ts';
import { fitsRow, subtractRows, type ResourceRow } from '../../../instance-types/resource-rows.ts';
import type { ClusterNode } from './cluster-node.ts';
import { untoleratedTaint } from '../../../pods/tolerations.ts';
import { placeInTopology, recordInTopology } from '../../topology/topology-placement.ts';

const noLimits: ReadonlyMap<string, number> = new Map();

/** An existing or in-flight node and what it can still take in this round. */
export class ExistingNode {
  readonly pods: Pod[] = [];
  /** Its labels are complete, so no pod narrows them. */
  readonly #clusterNode: ClusterNode;
  #available: ResourceRow;
  #hostPorts: readonly PodHostPort[];
  readonly #attachments: AttachmentRoom;

  /** @param available what is left on it, in the order of the round's resources */
  constructor(clusterNode: ClusterNode, available: ResourceRow) {
    this.#clusterNode = clusterNode;
    this.#available = available;
    this.#hostPorts = clusterNode.hostPorts;
    this.#attachments = new AttachmentRoom(clusterNode.state.attachLimits ?? noLimits);
    this.#attachments.add(clusterNode.attached);
  }

  get state(): NodeState {
    return this.#clusterNode.state;
  }

  /** Whether a pod fits. Changes nothing. */
  consider(podClass: PodClass, form: PodForm): 'fits' | PlacementRefusal {
    return this.hasRoomFor(podClass) && this.#suits(form) ? this.#considerPlaces(podClass, form) : 'never';
  }

  /** Whether resources, host ports and volume attachments leave room for a pod. */
  hasRoomFor({ row, hostPorts, attached }: PodClass): boolean {
    return (
      fitsRow(row, this.#available) &&
      takenPort(hostPorts, this.#hostPorts) === undefined &&
      this.#attachments.has(attached)
    );
  }

  /** Whether the labels and taints of the node admit a pod and its volumes. Other pods do not matter. */
  admits({ volumeAlternatives }: PodClass, form: PodForm): boolean {
    const { requirements } = this.#clusterNode;
    return this.#suits(form) && volumeAlternatives.some((volumes) => isCompatible(requirements, volumes));
  }

  #suits({ constraints, requirements }: PodForm): boolean {
    const { taints, requirements: labels } = this.#clusterNode;
    return untoleratedTaint(taints, constraints.tolerations) === undefined && isCompatible(labels, requirements);
  }

  #considerPlaces(podClass: PodClass, form: PodForm): 'fits' | PlacementRefusal {
    let last: PlacementRefusal = 'never';
    for (const volumes of podClass.volumeAlternatives) {
      if (!isCompatible(this.#clusterNode.requirements, volumes)) continue;
      const answer = placeInTopology(form, this.#clusterNode);
      if (answer.kind === 'allowed') return 'fits';
      if (!answer.forGood) last = 'later';
    }
    return last;
  }

  /** Places a pod on the node. The caller has called `consider` just before. */
  add(pod: Pod, podClass: PodClass): void {
    this.pods.push(pod);
    this.#available = subtractRows(this.#available, podClass.row);
    this.#hostPorts = [...this.#hostPorts, ...podClass.hostPorts];
    this.#attachments.add(podClass.attached);
    recordInTopology(podClass.counting, podClass.keepingAway, this.#clusterNode);
  }
}

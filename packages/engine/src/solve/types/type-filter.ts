import type { Requirements } from '@nodewright/requirements';
import type { AttachedVolume } from '../../volumes/attached-volumes.ts';
import { bitsOf, removeBit, type BitSet } from '../bit-set.ts';
import { takenPort, type PodHostPort } from '../../pods/host-ports.ts';
import type { InstanceType } from '../../instance-types/instance-type.ts';
import type { ResourceRow } from '../../instance-types/resource-rows.ts';
import type { TypeTable } from './type-table.ts';

export type NodeDemand = {
  /** Requirements that all types in question are known to meet. */
  readonly before: Requirements;
  readonly requirements: Requirements;
  /** The sum of all pods of the node, without daemons. */
  readonly total: ResourceRow;
  readonly hostPorts: readonly PodHostPort[];
  /** All volumes of the node, each once. */
  readonly attached: readonly AttachedVolume[];
};

/** The types that still suit a node after its demand has grown. Only changes are checked. */
export function narrowedTypes(table: TypeTable, types: BitSet, demand: NodeDemand): BitSet {
  const { before, requirements, total, hostPorts, attached } = demand;
  const left = types.slice();
  let otherOffers = false;
  if (requirements !== before) {
    for (const [label, r] of requirements) {
      if (before.get(label) === r) continue;
      table.keepMeeting(r, left);
      otherOffers ||= table.decidesOffers(label);
    }
  }
  if (otherOffers) table.keepOffered(requirements, left);
  table.keepFitting(total, left);
  if (hostPorts.length > 0) dropTakenPorts(table, left, hostPorts);
  if (attached.length > 0) dropWithoutRoom(table, left, attached);
  return left;
}

function dropTakenPorts({ options }: TypeTable, types: BitSet, hostPorts: readonly PodHostPort[]): void {
  for (const index of bitsOf(types)) {
    if (takenPort(hostPorts, options[index]?.daemons.hostPorts ?? []) !== undefined) removeBit(types, index);
  }
}

function dropWithoutRoom({ options }: TypeTable, types: BitSet, attached: readonly AttachedVolume[]): void {
  const counts = countsByDriver(attached);
  for (const index of bitsOf(types)) {
    const option = options[index];
    if (option !== undefined && !hasRoomFor(option.type, counts)) removeBit(types, index);
  }
}

/** How many volumes there are of each CSI driver. */
export function countsByDriver(attached: readonly AttachedVolume[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { driver } of attached) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return counts;
}

/** Whether a node of the type can attach these numbers of volumes. */
export const hasRoomFor = ({ attachLimits }: InstanceType, counts: ReadonlyMap<string, number>): boolean =>
  [...counts].every(([driver, count]) => count <= (attachLimits?.get(driver) ?? Infinity));

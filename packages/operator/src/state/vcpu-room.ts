import {
  byTextOf,
  karpenterLabels,
  kubernetesLabels,
  type NodeClaim,
  quantityUnits,
  type VcpuRoom,
} from '@nodewright/apis';
import type { BoughtKind } from '@nodewright/ports';

/** How the node of a claim was bought; nothing before its launch. */
export function boughtKindOf({ metadata }: Pick<NodeClaim, 'metadata'>): BoughtKind | undefined {
  const instanceType = metadata.labels?.[kubernetesLabels.instanceType];
  const capacityType = metadata.labels?.[karpenterLabels.capacityType];
  return instanceType === undefined || capacityType === undefined ? undefined : { instanceType, capacityType };
}

/** Each kind once, in order. */
export function listBoughtKinds(claims: readonly NodeClaim[]): readonly BoughtKind[] {
  const kinds = claims.flatMap((claim) => boughtKindOf(claim) ?? []);
  return [...new Map(kinds.map((kind) => [printKind(kind), kind])).values()].toSorted(byTextOf(printKind));
}

const printKind = ({ instanceType, capacityType }: BoughtKind): string => `${instanceType} ${capacityType}`;

/** What the node of a claim takes of the limit that it counts against; nothing where that is not known. */
export function vcpusOfClaim(
  claim: NodeClaim,
  rooms: readonly VcpuRoom[],
): { readonly quota: string; readonly count: number } | undefined {
  const kind = boughtKindOf(claim);
  if (kind === undefined) return undefined;
  const room = rooms.find(({ counted }) => counted.some((each) => printKind(each) === printKind(kind)));
  const cpu = claim.status?.capacity?.['cpu'];
  const count = cpu === undefined ? 0 : quantityUnits(cpu);
  return room === undefined || count === 0 ? undefined : { quota: room.code, count };
}

/** Limits that have less room than all these nodes take together: the others can never keep one from being replaced. */
export const listNarrowRooms = (rooms: readonly VcpuRoom[], claims: readonly NodeClaim[]): readonly VcpuRoom[] =>
  rooms.filter(({ code, free }) => {
    const taken = claims.map((claim) => vcpusOfClaim(claim, rooms)).filter((each) => each?.quota === code);
    return free < taken.reduce((sum, each) => sum + (each?.count ?? 0), 0);
  });

/** Each limit once, with the least that was found free: sources look at different moments. */
export function mergeRooms(rooms: readonly VcpuRoom[]): readonly VcpuRoom[] {
  const merged = new Map<string, VcpuRoom>();
  for (const room of rooms) {
    const known = merged.get(room.code);
    const counted = new Map([...(known?.counted ?? []), ...room.counted].map((kind) => [printKind(kind), kind]));
    const free = Math.min(room.free, known?.free ?? Infinity);
    merged.set(room.code, { ...room, free, counted: [...counted.values()] });
  }
  return [...merged.values()].toSorted(byTextOf(({ code }) => code));
}

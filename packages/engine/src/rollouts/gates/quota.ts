import type { AdmittedNode, VcpuRoom } from '@nodewright/apis';
import type { MoveCandidate } from '../candidates.ts';
import type { RolloutSnapshot } from '../snapshot.ts';
import type { HeldMove, MoveBlocker } from './gate.ts';
import { countComing } from './room.ts';

type QuotaWorld = Pick<RolloutSnapshot, 'quotas' | 'nodes'>;

/**
 * Whether the account may run so many vCPUs more. A replacement counts as the node that it replaces: it is launched for the
 * pods of that node, and mostly of the same type. The largest type that its NodePool allows would keep nearly every pool
 * from moving below a limit of some hundred vCPUs. Where a larger type is launched after all and EC2 refuses it, the
 * pool backs off. Nodes on their way count until they are initialized, as they do for addresses.
 */
export function quotaBlockers(
  { nodes: leaving, claims, isWhole }: Pick<MoveCandidate, 'nodes' | 'claims' | 'isWhole'>,
  admitted: readonly AdmittedNode[],
  { quotas = [], nodes }: QuotaWorld,
): readonly MoveBlocker[] {
  const [first] = leaving;
  const room = quotas.find(({ code }) => code === first?.vcpus?.quota);
  if (room === undefined || first?.vcpus === undefined || isWhole || claims === 0) return [];
  const taken = first.vcpus.count * claims;
  const coming = admitted.reduce((sum, entry) => sum + vcpusComing(entry, room.code, nodes), 0);
  if (coming + taken <= room.free) return [];
  const onTheWay = coming === 0 ? '' : `, nodes on their way take ${coming}`;
  return [{ gate: 'quota', message: `${printRoom(room)}${onTheWay}; this move takes ${taken}` }];
}

/** `"Running On-Demand P instances" (L-417A185B) has 8 of 96 vCPUs free`. */
const printRoom = ({ name, code, limit, free }: VcpuRoom): string =>
  `quota "${name}" (${code}) has ${free} of ${limit} vCPUs free`;

function vcpusComing(entry: AdmittedNode, quota: string, nodes: RolloutSnapshot['nodes']): number {
  const vcpus = nodes.find(({ name }) => name === entry.node)?.vcpus;
  return vcpus?.quota === quota ? vcpus.count * countComing(entry, nodes) : 0;
}

/** What is stored of limits while they hold a move: a plan made from the stored status sees the same. */
export function listTightQuotas(held: readonly HeldMove[], { quotas = [], nodes }: QuotaWorld): readonly VcpuRoom[] {
  const waiting = new Set(
    held.filter(({ blockers }) => blockers.some(({ gate }) => gate === 'quota')).map(({ node }) => node),
  );
  const tight = new Set(nodes.filter(({ name }) => waiting.has(name)).flatMap(({ vcpus }) => vcpus?.quota ?? []));
  return quotas.filter(({ code }) => tight.has(code));
}

/** Why an object cannot move at all: not even its smallest node fits below the limit, and none is on its way. */
export function printFullQuota(
  object: string,
  admitted: readonly AdmittedNode[],
  { quotas = [], nodes }: QuotaWorld,
): string | undefined {
  const own = nodes.filter((node) => node.object === object && !node.leaving);
  const isFull = (quota: string, count: number): boolean =>
    quotas.some(({ code, free }) => code === quota && free < count);
  if (admitted.length > 0 || own.length === 0) return undefined;
  if (!own.every(({ vcpus }) => vcpus !== undefined && isFull(vcpus.quota, vcpus.count))) return undefined;
  const codes = new Set(own.flatMap(({ vcpus }) => vcpus?.quota ?? []));
  return quotas
    .filter(({ code }) => codes.has(code))
    .map(printRoom)
    .join(' and ');
}

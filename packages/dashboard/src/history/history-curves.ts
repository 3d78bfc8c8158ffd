import type { NodeStage } from '../rows/dashboard-rows.ts';
import type { HistoryEntry, TrackedRow } from './history-rows.ts';

/** What there was from a moment until the next one. */
export type HistoryAmounts = {
  readonly at: string;
  readonly nodes: number;
  /** Nodes that do not work, are to move, leave or start. */
  readonly unsettled: number;
  readonly held: number;
  readonly waitingPods: number;
  /** At the prices that were known last: while AWS does not tell one, the node costs something all the same. */
  readonly microUsdPerHour: number;
};

type FleetAmounts = Omit<HistoryAmounts, 'at'>;

const noFleetAmounts: FleetAmounts = { nodes: 0, unsettled: 0, held: 0, waitingPods: 0, microUsdPerHour: 0 };

/** The amounts at the beginning and after each moment at which something changed. */
export function listHistoryAmounts(
  begin: string,
  base: readonly TrackedRow[],
  entries: readonly HistoryEntry[],
): readonly HistoryAmounts[] {
  const rows = new Map(base.map((row) => [`${row.track}\n${row.id}`, row]));
  let sum = noFleetAmounts;
  for (const row of base) sum = addFleetAmounts(sum, amountsOfRow(row), 1);
  const moments: HistoryAmounts[] = [{ at: begin, ...sum }];
  for (const { at, track, id, row: after } of entries) {
    const key = `${track}\n${id}`;
    const before = rows.get(key);
    const row = after && keepKnownPrice(before, after);
    sum = addFleetAmounts(addFleetAmounts(sum, amountsOfRow(before), -1), amountsOfRow(row), 1);
    if (row === undefined) rows.delete(key);
    else rows.set(key, row);
    if (moments.at(-1)?.at === at) moments.pop();
    moments.push({ at, ...sum });
  }
  return moments;
}

const keepKnownPrice = ({ microUsdPerHour: price }: Partial<TrackedRow> = {}, row: TrackedRow): TrackedRow =>
  price === undefined || row.microUsdPerHour !== undefined ? row : { ...row, microUsdPerHour: price };

const settledStages: ReadonlySet<NodeStage | undefined> = new Set(['ready', 'unmanaged']);

function amountsOfRow(row: TrackedRow | undefined): FleetAmounts {
  if (row === undefined) return noFleetAmounts;
  const { track, stage, microUsdPerHour = 0, pods = 0 } = row;
  switch (track) {
    case 'nodes':
      return { ...noFleetAmounts, nodes: 1, unsettled: settledStages.has(stage) ? 0 : 1, microUsdPerHour };
    case 'blockers':
      return { ...noFleetAmounts, held: 1 };
    case 'waiting':
      return { ...noFleetAmounts, waitingPods: pods };
    case 'rollouts':
      return noFleetAmounts;
  }
}

const addFleetAmounts = (a: FleetAmounts, b: FleetAmounts, sign: 1 | -1): FleetAmounts => ({
  nodes: a.nodes + sign * b.nodes,
  unsettled: a.unsettled + sign * b.unsettled,
  held: a.held + sign * b.held,
  waitingPods: a.waitingPods + sign * b.waitingPods,
  microUsdPerHour: a.microUsdPerHour + sign * b.microUsdPerHour,
});

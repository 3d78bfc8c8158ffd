import { byTextOf } from '@nodewright/apis';
import { isMarkedForDeletion, type NodeState } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import type { SpendingRow } from '../rows/dashboard-rows.ts';
import { findGroupExplanation } from '../rows/group-explanation.ts';
import { readCapacityType, readNodeGroupName } from './node-group.ts';
import { createPriceReader } from '../explain/node-amounts.ts';

/** What the nodes cost now, by group and capacity type. */
export function viewSpending({ disruption }: Pick<ClusterReading, 'disruption'>): readonly SpendingRow[] {
  const priceOf = createPriceReader(disruption);
  const rows = new Map<string, SpendingRow>();
  for (const state of disruption.nodes) {
    const group = readNodeGroupName(state);
    const capacityType = readCapacityType(state) ?? 'unknown';
    const id = `${group}|${capacityType}`;
    rows.set(id, addNode(rows.get(id) ?? emptyRow(id, group, capacityType), state, priceOf(state)));
  }
  return [...rows.values()].toSorted(byTextOf(({ id }) => id));
}

function emptyRow(id: string, group: string, capacityType: string): SpendingRow {
  const explain = findGroupExplanation(group);
  return {
    id,
    group,
    capacityType,
    nodes: 0,
    microUsdPerHour: 0,
    surgeMicroUsdPerHour: 0,
    unpriced: 0,
    ...(explain === undefined ? {} : { explain }),
  };
}

function addNode(row: SpendingRow, state: NodeState, price: number | undefined): SpendingRow {
  const { nodes, microUsdPerHour, surgeMicroUsdPerHour, unpriced } = row;
  if (price === undefined) return { ...row, nodes: nodes + 1, unpriced: unpriced + 1 };
  const isPassing = isMarkedForDeletion(state) || state.node === undefined;
  return {
    ...row,
    nodes: nodes + 1,
    microUsdPerHour: microUsdPerHour + price,
    surgeMicroUsdPerHour: surgeMicroUsdPerHour + (isPassing ? price : 0),
  };
}

import { byTextOf, type Instant } from '@nodewright/apis';
import {
  type DisruptionCommand,
  disruptionMethods,
  type MethodPlan,
  nodeNameOf,
  type NodeState,
  planSingly,
  planTogether,
  printedBlocker,
  savingsOf,
} from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import type { SavingRow } from '../rows/dashboard-rows.ts';
import { readNodeGroupName } from './node-group.ts';
import { createPriceReader, type PriceReader } from '../explain/node-amounts.ts';

/** A page is drawn often: so many moves of nodes are tried for it, and the controller tries on. */
export const mostTries = 20;

type SavingSources = Pick<ClusterReading, 'disruption' | 'spotToSpot'>;

/** What the methods that save money would do now. */
export function planSavings({ disruption, spotToSpot }: SavingSources, now: Instant): readonly MethodPlan[] {
  const request = { spotToSpot, limits: { mostTries } };
  return [
    ...disruptionMethods.filter(({ reason }) => reason === 'Empty').map(({ plan }) => plan(disruption, now)),
    planTogether(disruption, now, request),
    planSingly(disruption, now, request),
  ];
}

/** What consolidation would save next, and which nodes could go and are kept, with the reason. */
export function viewSavings({ disruption }: SavingSources, plans: readonly MethodPlan[]): readonly SavingRow[] {
  const priceOf = createPriceReader(disruption);
  const rows = new Map<string, SavingRow>();
  for (const row of plans.flatMap((plan) => [...viewCommands(plan), ...viewHeld(plan, priceOf)]))
    if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()].toSorted(byTextOf(({ id }) => id));
}

const viewCommands = ({ commands }: MethodPlan): readonly SavingRow[] => commands.flatMap(viewCommand);

function viewCommand(command: DisruptionCommand): readonly SavingRow[] {
  const states = command.candidates.map(({ state }) => state);
  const [first] = states;
  if (first === undefined) return [];
  const names = states.map(nodeNameOf);
  const replacement = command.replacements[0]?.instanceTypes[0]?.name;
  const message =
    command.consolidationType === 'empty'
      ? 'it is empty and is deleted next'
      : replacement === undefined
        ? 'its pods fit elsewhere, and it is deleted next'
        : `it is replaced next, by ${replacement} or what costs less`;
  return [{ ...describeSavingNode(first), nodes: names, microUsdPerHour: savingsOf(command), isNext: true, message }];
}

/** Nodes that could be saved, and what keeps each. Why others would save nothing, `explain node` says. */
const viewHeld = ({ blocked }: MethodPlan, priceOf: PriceReader): readonly SavingRow[] =>
  blocked.map(({ node, blocker }) => {
    const price = priceOf(node);
    return {
      ...describeSavingNode(node),
      nodes: [nodeNameOf(node)],
      ...(price === undefined ? {} : { microUsdPerHour: price }),
      isNext: false,
      message: printedBlocker(blocker),
    };
  });

const describeSavingNode = (state: NodeState): Pick<SavingRow, 'id' | 'group' | 'explain'> => {
  const name = nodeNameOf(state);
  return { id: name, group: readNodeGroupName(state), explain: `node/${name}` };
};

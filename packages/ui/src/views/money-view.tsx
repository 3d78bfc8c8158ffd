import {
  type Dashboard,
  formatHourlyPrice,
  type KeptNodesRow,
  type SavingRow,
  type SpendingRow,
  spellNodeCount,
  sumHourlyPrices,
} from '@nodewright/dashboard/rows';
import { DataTable, type DataColumn } from '../parts/data-table.tsx';
import { ExplainLink } from '../parts/explain-link.tsx';
import { IfShown } from '../parts/if-shown.tsx';
import { CostPlot } from './cost-plot.tsx';

/** What the cluster costs in an hour, and what could be saved and is not. */
export const MoneyView = ({ dashboard }: { readonly dashboard: Dashboard }) => (
  <IfShown part="spending" what="Costs are">
    <Money dashboard={dashboard} />
  </IfShown>
);

function Money({ dashboard: { spending, savings, keptNodes } }: { readonly dashboard: Dashboard }) {
  const surge = spending.reduce((sum, { surgeMicroUsdPerHour }) => sum + surgeMicroUsdPerHour, 0);
  const next = savings.filter(({ isNext }) => isNext);
  const unpriced = spending.reduce((sum, row) => sum + row.unpriced, 0);
  return (
    <>
      <dl class="figures">
        <Figure name="an hour" value={formatHourlyPrice(sumHourlyPrices(spending))} />
        <Figure name="of it: nodes that start or leave" value={formatHourlyPrice(surge)} />
        {next.length > 0 && <Figure name="saved by what goes next" value={formatHourlyPrice(sumHourlyPrices(next))} />}
        {unpriced > 0 && <Figure name="nodes without a known price" value={String(unpriced)} />}
      </dl>
      <CostPlot spending={spending} />
      <DataTable title="Cost" columns={spendingColumns} rows={spending} empty="No node." />
      <IfShown part="savings" what="Savings are">
        <DataTable
          title="Savings"
          columns={savingColumns}
          rows={savings}
          empty="No move that would save something is known now."
        />
        {keptNodes.length > 0 && (
          <DataTable title="Kept by consolidation" columns={keptColumns} rows={keptNodes} empty="No node." />
        )}
      </IfShown>
    </>
  );
}

const keptColumns: readonly DataColumn<KeptNodesRow>[] = [
  { title: 'Group', value: ({ group }) => group },
  {
    title: 'Nodes',
    value: ({ nodes }) => nodes,
    draw: ({ nodes, explain }) => <ExplainLink path={explain}>{spellNodeCount(nodes)}</ExplainLink>,
    isNumber: true,
  },
  {
    title: 'Cost/h',
    value: ({ microUsdPerHour }) => dollars(microUsdPerHour),
    draw: ({ microUsdPerHour }) => formatHourlyPrice(microUsdPerHour),
    isNumber: true,
  },
  { title: 'Why', value: ({ message }) => message, isProse: true },
];

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const dollars = (microUsd: number | undefined): number | undefined =>
  microUsd === undefined ? undefined : microUsd / 1_000_000;

const spendingColumns: readonly DataColumn<SpendingRow>[] = [
  {
    title: 'Group',
    value: ({ group }) => group,
    draw: ({ group, explain }) => (explain === undefined ? group : <ExplainLink path={explain}>{group}</ExplainLink>),
  },
  { title: 'Capacity', value: ({ capacityType }) => capacityType },
  { title: 'Nodes', value: ({ nodes }) => nodes, isNumber: true },
  {
    title: 'Price/h',
    value: ({ microUsdPerHour }) => dollars(microUsdPerHour),
    draw: ({ microUsdPerHour }) => formatHourlyPrice(microUsdPerHour),
    isNumber: true,
  },
  {
    title: 'Starting or leaving/h',
    value: ({ surgeMicroUsdPerHour }) => dollars(surgeMicroUsdPerHour),
    draw: ({ surgeMicroUsdPerHour }) => formatHourlyPrice(surgeMicroUsdPerHour),
    isNumber: true,
  },
  { title: 'Without price', value: ({ unpriced }) => unpriced, isNumber: true },
];

const savingColumns: readonly DataColumn<SavingRow>[] = [
  {
    title: 'Node',
    value: ({ nodes }) => nodes.join(', '),
    draw: ({ nodes, explain }) => <ExplainLink path={explain}>{nodes.join(', ')}</ExplainLink>,
  },
  { title: 'Group', value: ({ group }) => group },
  {
    title: 'At most/h',
    value: ({ microUsdPerHour }) => dollars(microUsdPerHour),
    draw: ({ microUsdPerHour: price }) => (price === undefined ? '–' : formatHourlyPrice(price)),
    isNumber: true,
  },
  { title: 'State', value: ({ isNext }) => (isNext ? 'next' : 'held') },
  { title: 'Why', value: ({ message }) => message, isProse: true },
];

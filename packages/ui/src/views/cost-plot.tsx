import { byNumberOf, byTextOf, inOrder, inReverse } from '@nodewright/apis';
import { formatHourlyPrice, type SpendingRow, spellNodeCount, sumHourlyPrices } from '@nodewright/dashboard/rows';
import { ExplainLink } from '../parts/explain-link.tsx';
import { BarPlot, type PlotBar } from '../plots/bar-plot.tsx';
import { createValueAxis } from '../plots/value-marks.ts';

/** The table has all of them. */
const mostBars = 12;

/** What the nodes of each group and capacity type cost in an hour, the dearest first. */
export function CostPlot({ spending }: { readonly spending: readonly SpendingRow[] }) {
  const priced = spending
    .filter(({ microUsdPerHour }) => microUsdPerHour > 0)
    .toSorted(
      inOrder(
        inReverse(byNumberOf<SpendingRow>(({ microUsdPerHour }) => microUsdPerHour)),
        byTextOf(({ id }) => id),
      ),
    );
  if (priced.length < 2 && priced.every(({ surgeMicroUsdPerHour }) => surgeMicroUsdPerHour === 0)) return null;
  const others = priced.slice(mostBars);
  const axis = createValueAxis({ most: priced[0]?.microUsdPerHour ?? 0, least: 1_000, count: 4 });
  return (
    <figure class="costs">
      <figcaption>
        <span>Cost an hour by group and capacity type</span>
        <span class="keys">
          <span class="key fill" /> nodes that stay <span class="key surge" /> nodes that start or leave
        </span>
      </figcaption>
      <BarPlot
        className="priced"
        bars={priced.slice(0, mostBars).map(barOfSpending)}
        axis={axis}
        printMark={printDollars}
      />
      {others.length > 0 && (
        <p class="faint">
          and {others.length} more, {formatHourlyPrice(sumHourlyPrices(others))} an hour together
        </p>
      )}
    </figure>
  );
}

const printDollars = (microUsd: number): string => `$${microUsd / 1_000_000}`;

function barOfSpending({
  id,
  group,
  capacityType,
  nodes,
  microUsdPerHour,
  surgeMicroUsdPerHour,
  explain,
}: SpendingRow): PlotBar {
  const price = formatHourlyPrice(microUsdPerHour);
  const surge = formatHourlyPrice(surgeMicroUsdPerHour);
  return {
    id,
    label: (
      <>
        {explain === undefined ? group : <ExplainLink path={explain}>{group}</ExplainLink>} {capacityType}
      </>
    ),
    parts: [
      { value: microUsdPerHour - surgeMicroUsdPerHour, className: 'fill' },
      { value: surgeMicroUsdPerHour, className: 'surge' },
    ],
    value: price,
    words: `${group}, ${capacityType}: ${spellNodeCount(nodes)}, ${price} an hour, ${surge} of it nodes that start or leave`,
  };
}

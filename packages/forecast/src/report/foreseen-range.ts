/** Where the cluster will be, by the runs that were made. */
export type ForeseenRange = { readonly least: number; readonly most: number };

/**
 * Where one more run lies, 95 times out of 100. A few runs show too little of what chance can do: the next one is below the
 * least or above the largest of three as often as not. So the range that they span is widened to where a further value of a
 * normal distribution of their mean and spread lies in 98 % of cases, yet at most by a quarter of the way from `from`.
 * @param values of all runs, at least one, each from `from` on
 * @param limits between which a value can be
 */
export function foreseeRange(values: readonly number[], limits: { from: number; to: number }): ForeseenRange {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const reach = reachOf(values, mean);
  const widest = (value: number): number => (value - limits.from) * mostWidened;
  return {
    least: Math.max(Math.min(least, mean - reach), least - widest(least), limits.from),
    most: Math.min(Math.max(most, mean + reach), most + widest(most), Math.max(most, limits.to)),
  };
}

const mostWidened = 0.25;

/** How far from the mean of the others a further value is, in 98 % of cases. */
function reachOf(values: readonly number[], mean: number): number {
  const freedom = values.length - 1;
  if (freedom < 1) return 0;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / freedom;
  return studentOf(freedom) * Math.sqrt(variance * (1 + 1 / values.length));
}

/** The quantile of 0.99 of Student's distribution, from one degree of freedom. */
const studentQuantiles = [31.821, 6.965, 4.541, 3.747, 3.365, 3.143, 2.998, 2.896, 2.821, 2.764];

const studentOf = (freedom: number): number => studentQuantiles[freedom - 1] ?? 2.326 + 4.2 / freedom;

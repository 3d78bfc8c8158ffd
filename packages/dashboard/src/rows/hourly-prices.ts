/** `$1.234`: three digits after the point, as prices of EC2 have them at least. */
export const formatHourlyPrice = (microUsd: number): string => `$${(microUsd / 1_000_000).toFixed(3)}`;

/** What a list of rows costs in an hour, in millionths of a US dollar. Unknown prices count as nothing. */
export const sumHourlyPrices = (rows: readonly { readonly microUsdPerHour?: number }[]): number =>
  rows.reduce((sum, { microUsdPerHour = 0 }) => sum + microUsdPerHour, 0);

/** `$1.234 an hour`, with the nodes whose price is not known beside it: they cost something, too. */
export function describeHourlyCost(microUsd: number, unpriced: number): string {
  const cost = `${formatHourlyPrice(microUsd)} an hour`;
  if (unpriced === 0) return cost;
  const others = unpriced === 1 ? '1 node' : `${unpriced} nodes`;
  return microUsd === 0 ? `no known price of ${others}` : `${cost} and ${others} without a known price`;
}

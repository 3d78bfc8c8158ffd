/** `$1.234`: three digits after the point, as prices of EC2 have them at least. */
export const formatHourlyPrice = (microUsd: number): string => `$${(microUsd / 1_000_000).toFixed(3)}`;

/** What a list of rows costs in an hour, in millionths of a US dollar. Unknown prices count as nothing. */
export const sumHourlyPrices = (rows: readonly { readonly microUsdPerHour?: number }[]): number =>
  rows.reduce((sum, { microUsdPerHour = 0 }) => sum + microUsdPerHour, 0);

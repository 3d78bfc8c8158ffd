import type { NodeOverlay } from '@nodewright/apis';

export const changesPrice = ({ spec }: NodeOverlay): boolean =>
  spec.price !== undefined || spec.priceAdjustment !== undefined;

/**
 * What something costs by an overlay, in millionths of a dollar per hour: `price` takes the place of what it cost,
 * `priceAdjustment` adds an amount or a share of it. Never below zero.
 */
export function changedPrice(microUsdPerHour: number, { spec: { price, priceAdjustment } }: NodeOverlay): number {
  if (price !== undefined) return micro(price);
  if (priceAdjustment === undefined) return microUsdPerHour;
  const isShare = priceAdjustment.endsWith('%');
  const changed = isShare
    ? microUsdPerHour * (1 + Number(priceAdjustment.slice(0, -1)) / 100)
    : microUsdPerHour + micro(priceAdjustment);
  return Math.max(0, Number.isInteger(microUsdPerHour) ? Math.round(changed) : changed);
}

const micro = (dollars: string): number => Math.round(Number(dollars) * 1e6);

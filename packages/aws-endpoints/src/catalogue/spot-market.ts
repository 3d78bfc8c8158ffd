import type { CatalogueType } from './instance-type.ts';

/** How much dearer or cheaper spot is per zone, in percent of on demand, from the first zone of the region on. */
const zoneTilt = [0, -2, 1, -1, 2, 3];

/**
 * What spot costs in a zone: a share of the on-demand price that differs by family and zone.
 * @returns millionths of a dollar per hour, in whole hundreds as EC2 quotes them
 */
export function spotPrice(type: CatalogueType, zone: string): number {
  const tilt = zoneTilt[(zone.codePointAt(zone.length - 1) ?? 0) - firstZone] ?? 0;
  return Math.round((type.priceMicroUsdPerHour * (type.spotPercent + tilt)) / 10_000) * 100;
}

const firstZone = 'a'.codePointAt(0) ?? 0;

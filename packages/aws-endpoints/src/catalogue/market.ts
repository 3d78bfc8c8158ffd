import { days, instant, type Instant } from '@nodewright/apis';
import { allTypes, typeNamed } from './catalogue.ts';
import { listCurrentTypes } from './current-types.ts';
import type { CatalogueType } from './instance-type.ts';
import { spotPrice } from './spot-market.ts';

/**
 * What EC2 lists: `small` has a few families at prices that stay, in every zone; `current` has all types of today, not every
 * one in every zone, at spot prices that move. Launches may name any type in both.
 */
export type CatalogueName = 'small' | 'current';

/** A spot price, and since when it holds. */
export type SpotQuote = { readonly at: Instant; readonly microUsdPerHour: number };

/** What is sold where, and for how much. */
export type InstanceMarket = {
  /** The types of lists, sorted by name. */
  readonly types: () => readonly CatalogueType[];
  readonly isOffered: (type: CatalogueType, zone: string) => boolean;
  /** Lists the quotes of a window, the newest first: those in it, and the one that held at its beginning. */
  readonly spotQuotes: (type: CatalogueType, zone: string, window: QuoteWindow) => readonly SpotQuote[];
};

type QuoteWindow = { readonly from: Instant; readonly to: Instant };

export const createMarket = (name: CatalogueName): InstanceMarket => (name === 'small' ? smallMarket : currentMarket);

const startOfDay = (at: Instant): Instant => instant(Math.floor(at / days(1)) * days(1));

const smallMarket: InstanceMarket = {
  types: allTypes,
  isOffered: () => true,
  spotQuotes: (type, zone, { to }) => [{ at: startOfDay(to), microUsdPerHour: spotPrice(type, zone) }],
};

const currentMarket: InstanceMarket = {
  // The small catalogue keeps its prices and shares of spot where both know a type.
  types: () => listCurrentTypes().map(({ name }) => typeNamed(name) ?? refuseUnknownType(name)),
  isOffered: isOfferedIn,
  spotQuotes: (type, zone, { from, to }) => {
    const quotes: SpotQuote[] = [];
    for (let at = quoteTime(type, zone, to); ; at = instant(at - days(1))) {
      quotes.push({ at, microUsdPerHour: movedPrice(type, zone, at) });
      if (at <= from || quotes.length >= longestHistoryDays) return quotes;
    }
  },
};

function refuseUnknownType(name: string): never {
  throw new Error(`the catalogue lists ${name} and does not know it`);
}

/** EC2 tells the spot prices of the last 90 days. */
const longestHistoryDays = 90;

/** Each pool is quoted once a day, at an hour of its own. */
function quoteTime({ name }: CatalogueType, zone: string, before: Instant): Instant {
  const hour = hashText(`${name} ${zone}`) % 24;
  const today = startOfDay(before) + (hour * days(1)) / 24;
  return instant(today <= before ? today : today - days(1));
}

/** The price moves by up to three percent of the on-demand price, slowly: a step is the mean of two days. */
function movedPrice(type: CatalogueType, zone: string, at: Instant): number {
  const day = Math.floor(at / days(1));
  const step = (each: number): number => (hashText(`${type.name} ${zone} ${each}`) % 7) - 3;
  const percent = (step(day) + step(day - 1)) / 2;
  return Math.max(100, spotPrice(type, zone) + Math.round((type.priceMicroUsdPerHour * percent) / 10_000) * 100);
}

/** Families that only some zones have: accelerators, high memory and what EC2 sells no more to everybody. */
const rareFamily = /^(a1|c1|c3|d2|d3|dl|f\d|g3|gr|h1|hpc|i2|m1|m2|m3|p\d|r3|trn|u|vt|x\d|z1)/;

/** A rare family misses the zones that its name falls on; one zone always has it. Others are everywhere. */
function isOfferedIn({ name }: CatalogueType, zone: string): boolean {
  const family = name.split('.', 1).join('');
  if (!rareFamily.test(family)) return true;
  const missing = hashText(family) % 3;
  return (zone.charCodeAt(zone.length - 1) - 'a'.charCodeAt(0)) % 3 !== missing;
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

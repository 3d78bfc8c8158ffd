import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allTypes } from './catalogue.ts';
import { maxPodsOf, type CatalogueType } from './instance-type.ts';
import { spotPrice } from './spot-market.ts';

const published: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'testdata/instance-types.json'), 'utf8'));

const inPublishedForm = (type: CatalogueType) => {
  const { sustainedClockGhz, priceMicroUsdPerHour, spotPercent, ...facts } = type;
  return {
    ...facts,
    manufacturer: type.manufacturer.toLowerCase(),
    clockMhz: Math.round(sustainedClockGhz * 1000),
    pods: maxPodsOf(type),
    usdPerHour: priceMicroUsdPerHour / 1e6,
    spotPercent,
  };
};

test('every type has the published facts', () => {
  expect(allTypes().map(inPublishedForm)).toMatchObject(published as object[]);
  expect(allTypes()).toHaveLength(56);
});

test('spot is cheaper than on demand everywhere, and differs by zone', () => {
  for (const type of allTypes()) {
    const prices = ['us-east-1a', 'us-east-1b', 'us-east-1c'].map((zone) => spotPrice(type, zone));
    expect(Math.max(...prices)).toBeLessThan(type.priceMicroUsdPerHour);
    expect(new Set(prices).size).toBe(3);
  }
});

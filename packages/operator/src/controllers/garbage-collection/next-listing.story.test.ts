import { instant, minutes } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { nextListingAfter } from './next-listing.ts';

for (const { fact, now, next } of [
  { fact: 'is still to come', now: minutes(59), next: minutes(60) },
  { fact: 'is due at its instant', now: minutes(60), next: minutes(60) },
  { fact: 'is due at a poll that comes late', now: minutes(60) + 3, next: minutes(60) },
  { fact: 'that was slept through is left out', now: minutes(62), next: minutes(66) },
  { fact: 'is due when the sleep ends with it', now: minutes(72), next: minutes(72) },
])
  test(`a listing ${fact}`, () => {
    expect(nextListingAfter(instant(minutes(60)), instant(now))).toBe(next);
  });

import { fromTimestamp } from '@nodewright/apis';
import { resolveRolloutSettings } from '@nodewright/engine';
import { expect, test } from 'vitest';
import { printWindow } from '../rows/window-words.ts';
import { readWindowRow } from './rollout-waits.ts';

/** A Friday. */
const now = fromTimestamp('2024-03-01T12:00:00Z');
const nights = { schedule: '0 22 * * *', duration: '6h', timeZone: 'Europe/Berlin' };
const freeze = { from: '2024-03-01T00:00:00', to: '2024-03-04T00:00:00', reason: 'quarter end' };

test.each([
  { fact: 'nothing is written', spec: {}, words: 'replacements may begin' },
  {
    fact: 'a window is closed',
    spec: { windows: [nights] },
    words: 'no window is open until 2024-03-01T21:00:00Z (written in Europe/Berlin)',
  },
  {
    fact: 'a blackout holds',
    spec: { blackouts: [freeze] },
    words: 'blackout: quarter end until 2024-03-04T00:00:00Z (written in UTC)',
  },
  {
    fact: 'a blackout ends while the windows are closed',
    spec: { windows: [{ ...nights, schedule: '0 22 * * 2' }], blackouts: [freeze] },
    words:
      'blackout: quarter end; after its end at 2024-03-04T00:00:00Z no window is open until 2024-03-05T21:00:00Z (written in Europe/Berlin, UTC)',
  },
])('says when replacements may begin where $fact', ({ spec, words }) => {
  expect(printWindow(readWindowRow(resolveRolloutSettings(spec), now))).toBe(words);
});

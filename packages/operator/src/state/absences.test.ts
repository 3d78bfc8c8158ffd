import { instant } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { Absences } from './absences.ts';

const at = (seconds: number) => instant(1_700_000_000_000 + seconds * 1_000);

describe('what is looked for in vain', () => {
  for (const { fact, looks, verdict } of [
    { fact: 'is in doubt at the first look', looks: [['missed', 0]], verdict: 'doubtful' },
    {
      fact: 'is in doubt however often it is missed within a minute',
      looks: [
        ['missed', 0],
        ['missed', 1],
        ['missed', 59],
      ],
      verdict: 'doubtful',
    },
    {
      fact: 'is gone when it is missed again a minute later',
      looks: [
        ['missed', 0],
        ['missed', 60],
      ],
      verdict: 'gone',
    },
    {
      fact: 'is in doubt anew when it was found in between',
      looks: [
        ['missed', 0],
        ['found', 30],
        ['missed', 60],
      ],
      verdict: 'doubtful',
    },
    {
      fact: 'is in doubt anew when the last look was long ago',
      looks: [
        ['missed', 0],
        ['missed', 20 * 60],
      ],
      verdict: 'doubtful',
    },
    {
      fact: 'stays gone while it is looked for',
      looks: [
        ['missed', 0],
        ['missed', 120],
        ['missed', 11 * 60],
        ['missed', 20 * 60],
      ],
      verdict: 'gone',
    },
  ] as const) {
    test(fact, () => {
      const absences = new Absences();
      const verdicts = looks.map(([look, seconds]) =>
        look === 'found' ? absences.found('i-1') : absences.missed('i-1', at(seconds)),
      );
      expect(verdicts.at(-1)?.kind).toBe(verdict);
    });
  }

  test('is told of apart from others, with the time of the next look', () => {
    const absences = new Absences();
    absences.missed('i-1', at(0));
    expect(absences.missed('i-2', at(60))).toEqual({ kind: 'doubtful', recheckAt: at(120) });
  });
});

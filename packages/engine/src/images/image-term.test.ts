import type { AmiSelectorTerm } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { imageTerms } from './image-term.ts';

const day = 86_400_000;
const kubernetesVersion = '1.29';

test.each<readonly [AmiSelectorTerm, object]>([
  [{ id: 'ami-1', minimumAgeDuration: '1d' }, { kind: 'explicit' }],
  [{ alias: 'al2@v20240117', minimumAgeDuration: '1d' }, { kind: 'explicit' }],
  [{ alias: 'al2@latest' }, { kind: 'latest', minimumAgeMs: 0 }],
  [
    { alias: 'al2@latest', minimumAgeDuration: '1d' },
    { kind: 'latest', minimumAgeMs: day },
  ],
  [{ tags: { team: 'a' } }, { kind: 'own', minimumAgeMs: 0 }],
  [
    { name: 'x', minimumAgeDuration: '1d' },
    { kind: 'own', minimumAgeMs: day },
  ],
])('%j', (term, expected) => {
  expect(imageTerms({ terms: [term], kubernetesVersion })).toEqual([expected]);
});

test('a term without a minimum age takes the default one', () => {
  const terms = [{ alias: 'al2@latest' }, { name: 'x', minimumAgeDuration: '2d' }, { id: 'ami-1' }];
  expect(imageTerms({ terms, kubernetesVersion, defaultMinimumAge: '1d' })).toEqual([
    { kind: 'latest', minimumAgeMs: day },
    { kind: 'own', minimumAgeMs: 2 * day },
    { kind: 'explicit' },
  ]);
});

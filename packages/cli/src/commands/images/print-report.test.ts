import type { ImageReport, ReportedImage } from '@nodewright/dashboard';
import { printedAge } from '@nodewright/dashboard/rows';
import { describe, expect, test } from 'vitest';
import { printReport } from './print-report.ts';

const anImage = (id: string, more: Partial<ReportedImage> = {}): ReportedImage => ({
  id,
  name: `name-of-${id}`,
  release: `v-${id}`,
  variant: 'standard',
  arch: 'amd64',
  publishedAt: '2024-01-28T00:00:00Z',
  firstSeenAt: '2024-01-28T01:00:00Z',
  ageSeconds: 90_000,
  state: 'older',
  because: 'another is newer',
  nodes: 0,
  ...more,
});
const aReport = (more: Partial<ImageReport> = {}): ImageReport => ({
  name: 'default',
  kubernetesVersion: '1.29',
  terms: ['alias: al2023@latest'],
  advice: [],
  images: [],
  ...more,
});

describe('the images of a class are printed', () => {
  test.each<readonly [string, Partial<ImageReport>, string]>([
    ['without any', {}, 'default: Kubernetes 1.29, alias: al2023@latest'],
    ['with all of its terms', { terms: ['id: ami-1', 'name: x'] }, 'default: Kubernetes 1.29, id: ami-1; name: x'],
    [
      'with what is wrong, what is advised and what changes',
      {
        problem: 'no image',
        advice: ['pin it', 'wait'],
        changesAt: '2024-03-01T00:00:00Z',
        change: 'v3 is old enough',
      },
      `default: Kubernetes 1.29, alias: al2023@latest
  nothing can be launched: no image
  note: pin it
  note: wait
  changes by itself at 2024-03-01T00:00:00Z: v3 is old enough`,
    ],
    [
      'with a change that nothing explains',
      { changesAt: '2024-03-01T00:00:00Z' },
      'default: Kubernetes 1.29, alias: al2023@latest\n  changes by itself at 2024-03-01T00:00:00Z',
    ],
    [
      'with a row for each, and dashes for what is not known',
      {
        images: [
          anImage('ami-1', { state: 'selected', because: 'this is what new nodes get', nodes: 2 }),
          { id: 'ami-0', name: '', state: 'gone', because: 'withdrawn', nodes: 1 },
        ],
      },
      `default: Kubernetes 1.29, alias: al2023@latest
IMAGE   RELEASE   VARIANT    ARCH    PUBLISHED              FIRST SEEN             AGE    STATE      NODES   WHY
ami-1   v-ami-1   standard   amd64   2024-01-28T00:00:00Z   2024-01-28T01:00:00Z   1d1h   selected   2       this is what new nodes get
ami-0   -         -          -       -                      -                      -      gone       1       withdrawn`,
    ],
  ])('%s', (_, more, text) => expect(printReport(aReport(more), false)).toBe(text));
});

describe('people see of each line', () => {
  const idsShown = (images: readonly ReportedImage[], all = false): readonly string[] =>
    printReport(aReport({ images }), all)
      .split('\n')
      .slice(2)
      .map((line) => line.split(' ')[0] ?? '');
  const seven = (prefix: string, more: Partial<ReportedImage> = {}) =>
    Array.from({ length: 7 }, (_, index) => anImage(`${prefix}${index}`, more));

  test('the newest five, and how many there are beside them', () => {
    expect(idsShown(seven('a'))).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'and']);
    expect(printReport(aReport({ images: seven('a') }), false)).toMatch(/and 2 older ones; --all shows them$/);
  });

  test('five of each variant and architecture', () => {
    const images = [...seven('a'), ...seven('b', { arch: 'arm64' }), ...seven('c', { variant: 'nvidia' })];
    expect(idsShown(images)).toHaveLength(16);
  });

  test('also what is selected and what nodes run', () => {
    const images = seven('a').map((image, index) => ({
      ...image,
      ...(index === 5 ? { state: 'selected' as const } : {}),
      ...(index === 6 ? { nodes: 1 } : {}),
    }));
    expect(idsShown(images)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
  });

  test('everything when asked for', () => {
    expect(idsShown(seven('a'), true)).toHaveLength(7);
  });
});

test.each<readonly [number, string]>([
  [0, '0s'],
  [59, '59s'],
  [60, '1m'],
  [3_661, '1h1m'],
  [86_399, '23h59m'],
  [86_400, '1d'],
  [90_061, '1d1h'],
  [86_460, '1d'],
  [-90, '-1m30s'],
])('%d seconds are %s', (seconds, text) => expect(printedAge(seconds)).toBe(text));

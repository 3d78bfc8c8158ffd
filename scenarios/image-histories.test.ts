import { type AmiSelectorTerm, fromTimestamp } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { isSame, replay } from './support/image-replay.ts';
import type { Recorded } from './support/random-history.ts';

const start = fromTimestamp('2024-06-01T00:00:00Z');
const ssmParameter = '/aws/service/eks/optimized-ami/1.29/amazon-linux-2/recommended/image_id';

/** Pins, latest, bake times and images of one's own choice, side by side. */
function termsOf(recorded: readonly Recorded[]): Readonly<Record<string, readonly AmiSelectorTerm[]>> {
  const releases = recorded.map(({ release }) => release);
  const pinOf = (family: string): string =>
    releases.filter((release) => release.family === family).map(({ version }) => version)[20] ?? 'none';
  const id = releases[7]?.imageId ?? '';
  return {
    'al2 latest': [{ alias: 'al2@latest' }],
    'al2 baked': [{ alias: 'al2@latest', minimumAgeDuration: '5d' }],
    'al2 pinned': [{ alias: `al2@${pinOf('AL2')}`, minimumAgeDuration: '10d' }],
    'al2023 baked': [{ alias: 'al2023@latest', minimumAgeDuration: '1w3d12h' }],
    'al2023 of nothing': [{ alias: 'al2023@latest', minimumAgeDuration: '0' }],
    'bottlerocket baked': [{ alias: 'bottlerocket@latest', minimumAgeDuration: '3d' }],
    'bottlerocket pinned': [{ alias: `bottlerocket@${pinOf('Bottlerocket')}` }],
    'windows baked': [{ alias: 'windows2022@latest', minimumAgeDuration: '10d' }],
    'by name': [{ name: 'amazon-eks-node-1.29-*', minimumAgeDuration: '6d' }],
    'by tag, or one by id': [{ tags: { team: 'a' }, minimumAgeDuration: '2w' }, { id }],
    'by several terms': [
      { name: 'bottlerocket-aws-k8s-1.30-*', minimumAgeDuration: '9d' },
      { tags: { team: '*' }, minimumAgeDuration: '3w' },
    ],
    'by parameter': [{ ssmParameter, minimumAgeDuration: '2d' }],
  };
}

describe('forty days of random releases', () => {
  for (const seed of [1]) {
    test(`give the images that an independent table says, history ${seed}`, async () => {
      const { rows, unforeseen, lives } = await replay({ random: seededRandom(seed), start, days: 40, termsOf });
      expect(rows.filter(({ seen, expected }) => !isSame(seen, expected))).toEqual([]);
      expect(unforeseen).toEqual([]);
      expect(lives).toBeGreaterThan(2);
    });
  }
});

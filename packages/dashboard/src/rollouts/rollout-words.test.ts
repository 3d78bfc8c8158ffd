import type { VariantImage } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { listImageChanges } from './rollout-words.ts';

const amd = 'AL2023/amd64/none';
const arm = 'AL2023/arm64/none';
const imageOf = (source: string, variant: string, release: string): VariantImage => ({
  source,
  variant,
  image: `ami-${release}`,
  release,
});
const movesTo = (release: string): readonly VariantImage[] => [
  imageOf('EC2NodeClass/default', amd, release),
  imageOf('EC2NodeClass/default', arm, release),
  imageOf('NodeGroup/web', amd, release),
];

test('sources with the same move share a line, and an image that stays has none', () => {
  const from = movesTo('v1');
  const to = [...movesTo('v2').slice(0, 1), ...from.slice(1, 2), ...movesTo('v2').slice(2)];
  expect(listImageChanges({ from: [...from], to })).toEqual([
    'EC2NodeClass/default, NodeGroup/web, AL2023/amd64/none: v1 (ami-v1) -> v2 (ami-v2)',
  ]);
});

test('variants that no node runs are named together', () => {
  const fleet = new SimulatedFleet({ random: seededRandom('words'), pools: [{ name: 'default', nodes: 1 }] });
  expect(listImageChanges({ from: [], to: [...movesTo('v2')] }, fleet.snapshot())).toEqual([
    'EC2NodeClass/default, AL2023/amd64/none: none -> v2 (ami-v2)',
    'and AL2023/arm64/none, which no node runs',
  ]);
});

test('where no node runs any of them, all moves are named', () => {
  const empty = new SimulatedFleet({ random: seededRandom('words'), pools: [{ name: 'default', nodes: 0 }] });
  const to = [...movesTo('v2')];
  expect(listImageChanges({ from: [], to }, empty.snapshot())).toEqual(listImageChanges({ from: [], to }));
});

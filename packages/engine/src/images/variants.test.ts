import { awsLabels, fromTimestamp, kubernetesLabels } from '@nodewright/apis';
import { anImage } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { decideImages } from './decide-images.ts';
import { acceleratorsOfImage, imageSetOf, parseVariant, printVariant, statusAmiOf, variantOfNode } from './variants.ts';

const now = fromTimestamp('2024-03-01T00:00:00Z');

test.each([
  [{}, 'AL2023/amd64/none'],
  [{ [kubernetesLabels.arch]: 'arm64' }, 'AL2023/arm64/none'],
  [{ [awsLabels.instanceGpuCount]: '4' }, 'AL2023/amd64/nvidia'],
  [{ [awsLabels.instanceAcceleratorCount]: '1' }, 'AL2023/amd64/neuron'],
])('a node with labels %j is %s', (labels, variant) => {
  expect(printVariant(variantOfNode('AL2023', labels))).toBe(variant);
});

test('the images of an alias are those of its variants, and are written back as they were', () => {
  const name = 'amazon-eks-node-al2023-x86_64-standard-1.29-v20240129';
  const { selected } = decideImages({
    query: { terms: [{ alias: 'al2023@latest' }], kubernetesVersion: '1.29' },
    images: [
      anImage('plain', { name, variant: 'standard', recommended: true }),
      anImage('gpu', { variant: 'nvidia', recommended: true }),
    ],
    now,
  });
  const set = imageSetOf('EC2NodeClass/default', 'AL2023', selected);
  expect(set.map(({ variant, image, release }) => [variant, image, release])).toEqual([
    ['AL2023/amd64/none', 'plain', 'v20240129'],
    ['AL2023/amd64/nvidia', 'gpu', undefined],
  ]);
  expect(new Set(set.map(statusAmiOf))).toEqual(new Set(selected));
});

test('an image of one’s own is for every accelerator', () => {
  const { selected } = decideImages({
    query: { terms: [{ id: 'own' }], kubernetesVersion: '1.29' },
    images: [anImage('own')],
    now,
  });
  expect(imageSetOf('EC2NodeClass/default', 'Custom', selected).map(({ variant }) => variant)).toEqual([
    'Custom/amd64/neuron',
    'Custom/amd64/none',
    'Custom/amd64/nvidia',
  ]);
});

test('a text that is no variant is none', () => {
  expect([parseVariant('AL2023/amd64'), parseVariant('AL2023/s390x/none')]).toEqual([undefined, undefined]);
});

test.each([
  [{ variant: 'nvidia' }, ['nvidia']],
  [{ variant: 'neuron' }, ['neuron']],
  [{ variant: 'standard' }, ['none']],
  [{}, ['neuron', 'none', 'nvidia']],
] as const)('an image of %j is for the accelerators %j', (image, accelerators) => {
  expect([...acceleratorsOfImage(image)].toSorted()).toEqual(accelerators);
});

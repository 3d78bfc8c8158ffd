import { expect, test } from 'vitest';
import { imageRequirements } from './image-requirements.ts';

const gpus = 'karpenter.k8s.aws/instance-gpu-count';
const accelerators = 'karpenter.k8s.aws/instance-accelerator-count';
const arch = (value: string) => ({ key: 'kubernetes.io/arch', operator: 'In', values: [value] });

test.each([
  ['an own image of arm64', { arch: 'arm64' }, undefined, [arch('arm64')]],
  [
    'a plain image',
    { arch: 'amd64', variant: 'standard' },
    'AL2023',
    [arch('amd64'), { key: gpus, operator: 'DoesNotExist' }, { key: accelerators, operator: 'DoesNotExist' }],
  ],
  [
    'an image of FIPS',
    { arch: 'amd64', variant: 'fips' },
    'Bottlerocket',
    [arch('amd64'), { key: gpus, operator: 'DoesNotExist' }, { key: accelerators, operator: 'DoesNotExist' }],
  ],
  [
    'an image with drivers of NVIDIA',
    { arch: 'amd64', variant: 'nvidia' },
    'AL2',
    [arch('amd64'), { key: gpus, operator: 'Exists' }],
  ],
  [
    'an image for Neuron',
    { arch: 'amd64', variant: 'neuron' },
    'AL2',
    [arch('amd64'), { key: accelerators, operator: 'Exists' }],
  ],
  [
    'an image of Windows',
    { arch: 'amd64' },
    'Windows2022',
    [
      { key: 'kubernetes.io/os', operator: 'In', values: ['windows'] },
      arch('amd64'),
      { key: 'node.kubernetes.io/windows-build', operator: 'In', values: ['10.0.20348'] },
    ],
  ],
] as const)('which types %s is for, the shortest key first', (_, image, family, requirements) => {
  expect(imageRequirements(image, family)).toEqual(requirements);
});

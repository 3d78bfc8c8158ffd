import { awsLabels, kubernetesLabels, byNumberOf, byTextOf, inOrder } from '@nodewright/apis';
import type { AmiFamily, NodeSelectorRequirement } from '@nodewright/apis';
import type { FoundImage, ImageVariant } from './found-image.ts';

/**
 * Which instance types an image is for, as `status.amis[].requirements` says it: the shortest key first.
 * @param family that of the alias the image was found by; images found otherwise are for every type of their architecture
 */
export const imageRequirements = (
  image: Pick<FoundImage, 'arch' | 'variant'>,
  family: AmiFamily | undefined,
): readonly NodeSelectorRequirement[] =>
  [
    { key: kubernetesLabels.arch, operator: 'In' as const, values: [image.arch] },
    ...(image.variant === undefined ? [] : variantRequirements[image.variant]),
    ...windowsRequirements(family),
  ].toSorted(
    inOrder(
      byNumberOf(({ key }) => key.length),
      byTextOf(({ key }) => key),
    ),
  );

const { instanceAcceleratorCount, instanceGpuCount } = awsLabels;

const plain: readonly NodeSelectorRequirement[] = [
  { key: instanceAcceleratorCount, operator: 'DoesNotExist' },
  { key: instanceGpuCount, operator: 'DoesNotExist' },
];

const variantRequirements: Readonly<Record<ImageVariant, readonly NodeSelectorRequirement[]>> = {
  standard: plain,
  fips: plain,
  nvidia: [{ key: instanceGpuCount, operator: 'Exists' }],
  neuron: [{ key: instanceAcceleratorCount, operator: 'Exists' }],
};

const windowsBuilds: Readonly<Partial<Record<AmiFamily, string>>> = {
  Windows2019: '10.0.17763',
  Windows2022: '10.0.20348',
  Windows2025: '10.0.26100',
};

function windowsRequirements(family: AmiFamily | undefined): readonly NodeSelectorRequirement[] {
  const build = family && windowsBuilds[family];
  if (build === undefined) return [];
  return [
    { key: kubernetesLabels.os, operator: 'In', values: ['windows'] },
    { key: kubernetesLabels.windowsBuild, operator: 'In', values: [build] },
  ];
}
